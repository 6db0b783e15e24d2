//! Every setting of a run, defined once: the flags of the command with their help, and the keywords of the Python
//! package, come from here.

mod control;
mod data;
mod knowledge;
mod search;
mod simulate;
mod values;

use clap::Args;
use concause::independence::Test;
use concause::search::Method;

pub use control::ControlArguments;
pub use data::DataArguments;
pub use knowledge::KnowledgeArguments;
pub use search::{SearchArguments, SearchFlags};
pub use simulate::RecipeArguments;
pub use values::Quote;

use search::SEARCH;
use values::{method, parse, probability};

const OUTPUT: &str = "Output";
const TEST: &str = "Test";

/// The settings of [`mine`](crate::mine).
#[derive(Clone, Debug, Args)]
pub struct MineRequest {
    /// How to read and encode the table.
    #[command(flatten)]
    pub data: DataArguments,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArguments,
    /// How far the result is to be trusted.
    #[command(flatten)]
    pub control: ControlArguments,
    /// Tell in JSON and HTML why the N strongest candidates of each level that are no causes are none
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = OUTPUT)]
    pub reasons: usize,
}

/// The settings of [`explain`](crate::explain).
#[derive(Clone, Debug, Args)]
pub struct ExplainRequest {
    /// How to read and encode the table.
    #[command(flatten)]
    pub data: DataArguments,
    /// The column or conjunction to explain, e.g. V1 or 'V1&V2'; may be given several times
    #[arg(long, value_name = "NAME", required = true)]
    pub x: Vec<String>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArguments,
}

/// The settings of [`test`](crate::test()).
#[derive(Clone, Debug, Args)]
pub struct TestRequest {
    /// How to read and encode the table.
    #[command(flatten)]
    pub data: DataArguments,
    /// The column or conjunction to test, e.g. V1 or 'V1&V2'
    #[arg(long, value_name = "NAME", required_unless_present = "queries", help_heading = TEST)]
    pub x: Option<String>,
    /// What to hold fixed: columns or conjunctions, separated by commas; may be given several times
    #[arg(long, value_name = "NAMES", help_heading = TEST)]
    pub given: Vec<String>,
    /// Only count rows in which this column or conjunction is 1
    #[arg(long, value_name = "NAME", help_heading = TEST)]
    pub within: Option<String>,
    /// What to hold fixed in every question, beside --given, as concause mine --covariates does: attributes or columns
    #[arg(long, value_name = "NAMES", help_heading = TEST)]
    pub covariates: Vec<String>,
    /// Answer the questions of a CSV file with the columns x,given,within,test, in order, as JSON lines; - is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["x", "given", "within"], help_heading = TEST)]
    pub queries: Option<String>,
    /// The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact
    #[arg(long, value_name = "TEST", default_value = "g2", value_parser = parse::<Test>, help_heading = TEST)]
    pub test: Test,
    /// The significance level of the outcome
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, help_heading = TEST)]
    pub alpha: f64,
}

/// The settings of [`compare`](crate::compare).
#[derive(Clone, Debug, Args)]
pub struct CompareRequest {
    /// How to read and encode the table.
    #[command(flatten)]
    pub data: DataArguments,
    /// The methods, separated by commas: any of those of concause mine --method. One that refuses is shown as such,
    /// and the others run all the same; --time-limit is for each
    #[arg(long, value_name = "NAMES", required = true, value_delimiter = ',', value_parser = method, help_heading = SEARCH)]
    pub methods: Vec<Method>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchFlags,
}
