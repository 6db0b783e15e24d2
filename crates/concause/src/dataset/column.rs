//! One binary column of the encoded data, with the words for both of its values.

/// One binary column of the encoded data, and the attribute (raw column) from which it is derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What is true where it is 1, e.g. `V1`, `age>=60` or `checking_account=A14`.
    pub name: String,
    /// What is true where it is 0, e.g. `V1=0`, `age<60` or `checking_account≠A14`.
    pub negation: String,
    /// The index of the attribute.
    pub attribute: usize,
    /// The cut as a text, if the column is a threshold of an ordered attribute: 1 from this cut on. The thresholds of
    /// an attribute are in ascending order.
    pub cut: Option<String>,
    /// The only value from this threshold up to the next one, if there is only one: that interval is named by it.
    pub only_value: Option<String>,
}

impl Column {
    /// A column of an attribute, with its negation in words.
    pub fn new(name: impl Into<String>, negation: impl Into<String>) -> Self {
        Self { name: name.into(), negation: negation.into(), attribute: 0, cut: None, only_value: None }
    }

    /// The column of a value of an attribute, `attribute=value`.
    pub fn of_value(attribute: &str, value: &str) -> Self {
        Self::new(format!("{attribute}={value}"), format!("{attribute}≠{value}"))
    }

    /// The threshold of an ordered attribute at a cut, `attribute>=cut`.
    pub fn threshold(attribute: &str, cut: impl Into<String>) -> Self {
        let cut = cut.into();
        Self {
            cut: Some(cut.clone()),
            ..Self::new(format!("{attribute}>={cut}"), format!("{attribute}<{cut}"))
        }
    }

    /// A column that has only a name: a value of the attribute if it begins with `attribute=`, or 0 or 1.
    pub fn named(attribute: &str, name: String) -> Self {
        let value = name.strip_prefix(attribute).and_then(|rest| rest.strip_prefix('='));
        let negation = value.map_or_else(|| format!("{name}=0"), |value| format!("{attribute}≠{value}"));
        Self::new(name, negation)
    }

    /// The same column of another attribute.
    pub fn of_attribute(self, attribute: usize) -> Self {
        Self { attribute, ..self }
    }

    /// Whether it is a threshold of an ordered attribute.
    pub fn is_threshold(&self) -> bool {
        self.cut.is_some()
    }

    /// The name of the interval from this threshold up to another one, e.g. `30<=age<45`, or `dose=2` if it has only
    /// one value.
    pub(super) fn interval_name(&self, end: &Column, is_next: bool) -> Option<String> {
        let (low, high) = (self.cut.as_ref()?, end.cut.as_ref()?);
        let attribute = self.name.strip_suffix(low.as_str())?.strip_suffix(">=")?;
        if let Some(value) = self.only_value.as_ref().filter(|_| is_next) {
            return Some(format!("{attribute}={value}"));
        }
        Some(format!("{low}<={attribute}<{high}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_words_for_both_of_their_values() {
        let words = |column: Column| (column.name, column.negation);
        let texts = |name: &str, negation: &str| (name.to_owned(), negation.to_owned());
        assert_eq!(words(Column::named("V1", "V1".into())), texts("V1", "V1=0"));
        assert_eq!(words(Column::named("gene", "gene=B".into())), texts("gene=B", "gene≠B"));
        assert_eq!(words(Column::of_value("a=b", "c")), texts("a=b=c", "a=b≠c"));
        let (low, high) = (Column::threshold("age", "30"), Column::threshold("age", "45"));
        assert_eq!(words(low.clone()), texts("age>=30", "age<30"));
        assert_eq!(low.interval_name(&high, true).as_deref(), Some("30<=age<45"));
        assert_eq!(low.interval_name(&Column::named("V1", "V1".into()), true), None);
        let dose = Column { only_value: Some("2".into()), ..Column::threshold("dose", "2") };
        let names = [true, false].map(|is_next| dose.interval_name(&Column::threshold("dose", "3"), is_next));
        assert_eq!(names, [Some("dose=2".into()), Some("2<=dose<3".into())]);
    }
}
