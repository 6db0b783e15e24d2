//! Generates `examples/gene.csv`: people, their genotype and habits, and whether they became ill.
//!
//! ```text
//! cargo run --example gene > examples/gene.csv
//! ```
//!
//! People who smoke *and* carry the variant TT have a high risk, and so do people aged 60 or more. Neither TT alone nor
//! smoking alone has an effect, but both are frequent, so each is associated with the disease. Smoking causes yellow
//! fingers. Walks have no effect.

use concause::random::Random;

const PEOPLE: usize = 4000;

/// The seed of the bundled file.
pub const SEED: u64 = 1959;

fn main() {
    print!("{}", table(Random::new(SEED)));
}

/// The table as CSV.
pub fn table(mut random: Random) -> String {
    let mut text = String::from("sex,age,variant,smoking,yellow_fingers,alcohol,walks,disease\n");
    for _ in 0..PEOPLE {
        let sex = ["f", "m"][random.below(2)];
        let age = 30 + random.below(50);
        let variant = ["CC", "CT", "TT"][random.weighted(&[0.3, 0.4, 0.3])];
        let smoking = ["never", "former", "current"][random.weighted(&[0.4, 0.2, 0.4])];
        let yellow_fingers = random.chance(if smoking == "current" { 0.7 } else { 0.05 });
        let alcohol = random.chance(if smoking == "never" { 0.3 } else { 0.5 });
        let walks = random.chance(0.5);
        let mut spared = 0.95;
        if age >= 60 {
            spared *= 0.85;
        }
        if variant == "TT" && smoking == "current" {
            spared *= 0.6;
        }
        let disease = !random.chance(spared);
        let yes = |answer: bool| if answer { "yes" } else { "no" };
        let (yellow_fingers, alcohol, walks, disease) =
            (yes(yellow_fingers), yes(alcohol), yes(walks), yes(disease));
        text += &format!("{sex},{age},{variant},{smoking},{yellow_fingers},{alcohol},{walks},{disease}\n");
    }
    text
}
