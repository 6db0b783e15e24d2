//! Generates `examples/credit.csv`: loans, and whether they went bad.
//!
//! ```text
//! cargo run --example credit > examples/credit.csv
//! ```
//!
//! A loan is more likely to go bad after late payments, with an income below 1,500, or if the borrower has a temporary
//! contract and pays rent; one of the two alone has no effect. Bad loans are called up. This is an effect and not a
//! cause, but it is the column with the strongest association. Some incomes are missing.

use concause::random::Random;

const LOANS: usize = 5000;

/// The seed of the bundled file.
pub const SEED: u64 = 1994;

fn main() {
    print!("{}", table(Random::new(SEED)));
}

/// The table as CSV.
pub fn table(mut random: Random) -> String {
    let mut text = String::from("loan,contract,housing,income,late_before,purpose,telephone,called_up,bad\n");
    for loan in 0..LOANS {
        let contract = ["permanent", "temporary", "self-employed"][random.weighted(&[0.5, 0.35, 0.15])];
        let housing = ["own", "rent"][random.below(2)];
        let income = 900 + random.below(3600);
        let late_before = random.chance(0.15);
        let purpose = ["car", "furniture", "studies", "business"][random.below(4)];
        let telephone = random.chance(0.9);
        let mut paid = 0.96;
        if late_before {
            paid *= 0.7;
        }
        if income < 1500 {
            paid *= 0.8;
        }
        if contract == "temporary" && housing == "rent" {
            paid *= 0.65;
        }
        let bad = !random.chance(paid);
        let called_up = random.chance(if bad { 0.9 } else { 0.02 });
        let income = if random.chance(0.06) { String::new() } else { income.to_string() };
        let yes = |answer: bool| if answer { "yes" } else { "no" };
        let (late_before, telephone, called_up, bad) =
            (yes(late_before), yes(telephone), yes(called_up), yes(bad));
        let number = 100_000 + loan * 7;
        text += &format!(
            "L{number},{contract},{housing},{income},{late_before},{purpose},{telephone},{called_up},{bad}\n"
        );
    }
    text
}
