//! The publications behind the methods. A publication is listed where the text cites it.

/// All publications that are cited, in the order in which they are listed: how texts cite each, and the reference.
static PUBLICATIONS: [(&[&str], &str); 17] = [
    (
        &["Ma et al. 2016", "Ma, Li, Liu and Le 2016"],
        "Ma S, Li J, Liu L, Le TD (2016) Mining combined causes in large data sets. Knowledge-Based Systems \
         92:104–111.",
    ),
    (
        &["Aliferis et al. 2010"],
        "Aliferis CF, Statnikov A, Tsamardinos I, Mani S, Koutsoukos XD (2010) Local causal and Markov blanket \
         induction for causal discovery and feature selection for classification, part I. Journal of Machine \
         Learning Research 11:171–234.",
    ),
    (
        &["Barbieri and Berger 2004"],
        "Barbieri MM, Berger JO (2004) Optimal predictive model selection. Annals of Statistics 32:870–897.",
    ),
    (
        &["Cooper and Herskovits 1992"],
        "Cooper GF, Herskovits E (1992) A Bayesian method for the induction of probabilistic networks from data. \
         Machine Learning 9:309–347.",
    ),
    (
        &["Hubin et al. 2020"],
        "Hubin A, Storvik G, Frommlet F (2020) A novel algorithmic approach to Bayesian logic regression. \
         Bayesian Analysis 15:263–333.",
    ),
    (
        &["Madigan and Raftery 1994"],
        "Madigan D, Raftery AE (1994) Model selection and accounting for model uncertainty in graphical models \
         using Occam's window. Journal of the American Statistical Association 89:1535–1546.",
    ),
    (
        &["Tierney and Kadane 1986"],
        "Tierney L, Kadane JB (1986) Accurate approximations for posterior moments and marginal densities. \
         Journal of the American Statistical Association 81:82–86.",
    ),
    (
        &["Bühlmann, Kalisch and Maathuis 2010"],
        "Bühlmann P, Kalisch M, Maathuis MH (2010) Variable selection in high-dimensional linear models: \
         partially faithful distributions and the PC-simple algorithm. Biometrika 97:261–278.",
    ),
    (
        &["Kalisch et al. 2012"],
        "Kalisch M, Mächler M, Colombo D, Maathuis MH, Bühlmann P (2012) Causal inference using graphical models \
         with the R package pcalg. Journal of Statistical Software 47(11).",
    ),
    (
        &["Jin et al. 2012"],
        "Jin Z, Li J, Liu L, Le TD, Sun B, Wang R (2012) Discovery of causal rules using partial association. \
         IEEE International Conference on Data Mining:309–318.",
    ),
    (
        &["Li et al. 2013"],
        "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B (2013) Mining causal association rules. IEEE International \
         Conference on Data Mining Workshops:114–123.",
    ),
    (
        &["Li et al. 2015"],
        "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B, Ma S (2015) From observational studies to causal rule mining. \
         ACM Transactions on Intelligent Systems and Technology 7(2):14.",
    ),
    (
        &["Mantel-Haenszel estimates (1959)"],
        "Mantel N, Haenszel W (1959) Statistical aspects of the analysis of data from retrospective studies of \
         disease. Journal of the National Cancer Institute 22:719–748.",
    ),
    (
        &["VanderWeele and Robins (2008)"],
        "VanderWeele TJ, Robins JM (2008) Empirical and counterfactual conditions for sufficient cause \
         interactions. Biometrika 95:49–61.",
    ),
    (
        &["Benjamini and Hochberg 1995"],
        "Benjamini Y, Hochberg Y (1995) Controlling the false discovery rate. Journal of the Royal Statistical \
         Society B 57:289–300.",
    ),
    (
        &["Benjamini and Yekutieli 2001"],
        "Benjamini Y, Yekutieli D (2001) The control of the false discovery rate in multiple testing under \
         dependency. Annals of Statistics 29:1165–1188.",
    ),
    (
        &["Shah and Samworth 2013"],
        "Shah RD, Samworth RJ (2013) Variable selection with error control: another look at stability selection. \
         Journal of the Royal Statistical Society B 75:55–80.",
    ),
];

/// The publications that a text cites.
pub(crate) fn references_of(text: &str) -> impl Iterator<Item = &'static str> {
    let cited = PUBLICATIONS.iter().filter(|(cited, _)| cited.iter().any(|cited| text.contains(cited)));
    cited.map(|(_, reference)| *reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::search::Method;

    #[test]
    fn the_citation_of_every_method_has_its_references() {
        for method in Method::ALL {
            let citation = method.descriptor().citation;
            let years = citation.matches(|it: char| it.is_ascii_digit()).count() / 4;
            assert_eq!(references_of(citation).count(), years, "{citation}");
        }
    }
}
