//! The publications behind the methods. A publication is listed where the text cites it.

/// A publication.
struct Publication {
    /// How texts cite it.
    cited: &'static [&'static str],
    reference: &'static str,
}

/// All publications that are cited, in the order in which they are listed.
static PUBLICATIONS: [Publication; 17] = [
    Publication {
        cited: &["Ma et al. 2016", "Ma, Li, Liu and Le 2016"],
        reference: "Ma S, Li J, Liu L, Le TD (2016) Mining combined causes in large data sets. Knowledge-Based Systems \
                    92:104–111.",
    },
    Publication {
        cited: &["Aliferis et al. 2010"],
        reference: "Aliferis CF, Statnikov A, Tsamardinos I, Mani S, Koutsoukos XD (2010) Local causal and Markov blanket \
                    induction for causal discovery and feature selection for classification, part I. Journal of Machine \
                    Learning Research 11:171–234.",
    },
    Publication {
        cited: &["Barbieri and Berger 2004"],
        reference: "Barbieri MM, Berger JO (2004) Optimal predictive model selection. Annals of Statistics 32:870–897.",
    },
    Publication {
        cited: &["Cooper and Herskovits 1992"],
        reference: "Cooper GF, Herskovits E (1992) A Bayesian method for the induction of probabilistic networks from data. \
                    Machine Learning 9:309–347.",
    },
    Publication {
        cited: &["Hubin et al. 2020"],
        reference: "Hubin A, Storvik G, Frommlet F (2020) A novel algorithmic approach to Bayesian logic regression. \
                    Bayesian Analysis 15:263–333.",
    },
    Publication {
        cited: &["Madigan and Raftery 1994"],
        reference: "Madigan D, Raftery AE (1994) Model selection and accounting for model uncertainty in graphical models \
                    using Occam's window. Journal of the American Statistical Association 89:1535–1546.",
    },
    Publication {
        cited: &["Tierney and Kadane 1986"],
        reference: "Tierney L, Kadane JB (1986) Accurate approximations for posterior moments and marginal densities. \
                    Journal of the American Statistical Association 81:82–86.",
    },
    Publication {
        cited: &["Bühlmann, Kalisch and Maathuis 2010"],
        reference: "Bühlmann P, Kalisch M, Maathuis MH (2010) Variable selection in high-dimensional linear models: partially \
                    faithful distributions and the PC-simple algorithm. Biometrika 97:261–278.",
    },
    Publication {
        cited: &["Kalisch et al. 2012"],
        reference: "Kalisch M, Mächler M, Colombo D, Maathuis MH, Bühlmann P (2012) Causal inference using graphical models \
                    with the R package pcalg. Journal of Statistical Software 47(11).",
    },
    Publication {
        cited: &["Jin et al. 2012"],
        reference: "Jin Z, Li J, Liu L, Le TD, Sun B, Wang R (2012) Discovery of causal rules using partial association. IEEE \
                    International Conference on Data Mining:309–318.",
    },
    Publication {
        cited: &["Li et al. 2013"],
        reference: "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B (2013) Mining causal association rules. IEEE International \
                    Conference on Data Mining Workshops:114–123.",
    },
    Publication {
        cited: &["Li et al. 2015"],
        reference: "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B, Ma S (2015) From observational studies to causal rule mining. \
                    ACM Transactions on Intelligent Systems and Technology 7(2):14.",
    },
    Publication {
        cited: &["Mantel-Haenszel estimates (1959)"],
        reference: "Mantel N, Haenszel W (1959) Statistical aspects of the analysis of data from retrospective studies of \
                    disease. Journal of the National Cancer Institute 22:719–748.",
    },
    Publication {
        cited: &["VanderWeele and Robins (2008)"],
        reference: "VanderWeele TJ, Robins JM (2008) Empirical and counterfactual conditions for sufficient cause \
                    interactions. Biometrika 95:49–61.",
    },
    Publication {
        cited: &["Benjamini and Hochberg 1995"],
        reference: "Benjamini Y, Hochberg Y (1995) Controlling the false discovery rate. Journal of the Royal Statistical \
                    Society B 57:289–300.",
    },
    Publication {
        cited: &["Benjamini and Yekutieli 2001"],
        reference: "Benjamini Y, Yekutieli D (2001) The control of the false discovery rate in multiple testing under \
                    dependency. Annals of Statistics 29:1165–1188.",
    },
    Publication {
        cited: &["Shah and Samworth 2013"],
        reference: "Shah RD, Samworth RJ (2013) Variable selection with error control: another look at stability selection. \
                    Journal of the Royal Statistical Society B 75:55–80.",
    },
];

/// The publications that a text cites.
pub(crate) fn references_of(text: &str) -> impl Iterator<Item = &'static str> {
    let is_cited = |it: &&Publication| it.cited.iter().any(|cited| text.contains(cited));
    PUBLICATIONS.iter().filter(is_cited).map(|it| it.reference)
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
