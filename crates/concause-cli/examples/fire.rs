//! Generates `examples/fire.csv`: days in a forest, and whether there was a fire.
//!
//! ```text
//! cargo run --example fire > examples/fire.csv
//! ```
//!
//! Fires are caused by lightning, by faulty power lines, and by burning cigarette stubs in dry brush. Neither stubs nor
//! dry brush are associated with fire on their own: on stormy days, when lightning strikes, nobody walks in the forest
//! and the brush is wet, and this cancels their effect on other days. The storm itself is not in the table. Thunder is
//! heard with lightning but causes no fire. There are more stubs at weekends. Wind and the full moon have no effect.

use concause::random::Random;

const DAYS: usize = 3000;

/// The seed of the bundled file.
pub const SEED: u64 = 2016;

fn main() {
    print!("{}", table(Random::new(SEED)));
}

/// The table as CSV.
pub fn table(mut random: Random) -> String {
    let mut text = String::from(
        "weekend,burning_stub,dry_brush,lightning,thunder_heard,power_line_fault,wind,full_moon,fire\n",
    );
    for day in 0..DAYS {
        let weekend = day % 7 >= 5;
        let storm = random.chance(0.35);
        let burning_stub = random.chance(match (storm, weekend) {
            (true, _) => 0.02,
            (false, true) => 0.60,
            (false, false) => 0.42,
        });
        let dry_brush = random.chance(if storm { 0.05 } else { 0.5 });
        let lightning = storm && random.chance(0.7);
        let thunder_heard = random.chance(if lightning { 0.9 } else { 0.05 });
        let power_line_fault = random.chance(0.08);
        let wind = random.chance(0.4);
        let full_moon = day % 30 == 0;
        let mut spared = 0.97;
        if lightning {
            spared *= 0.4;
        }
        if power_line_fault {
            spared *= 0.6;
        }
        if burning_stub && dry_brush {
            spared *= 0.56;
        }
        let fire = !random.chance(spared);
        let cells = [
            weekend,
            burning_stub,
            dry_brush,
            lightning,
            thunder_heard,
            power_line_fault,
            wind,
            full_moon,
            fire,
        ];
        let cells: Vec<&str> = cells.iter().map(|&cell| if cell { "1" } else { "0" }).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}
