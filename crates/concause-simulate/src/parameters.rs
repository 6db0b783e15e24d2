//! The parameters of a recipe by name: read from text, written as text.

use std::ops::Bound;

use concause::random::Random;

use super::{AllowedRange, ExpectedValue, Parents, Recipe, RecipeKind, RiskScale, SimulateError, Split};

/// A number drawn uniformly between two limits, written `0.35..0.7`; `1` is always 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Uniform {
    /// Always the same number.
    pub const fn always(number: f64) -> Self {
        Self { low: number, high: number }
    }

    pub(crate) fn draw(&self, random: &mut Random) -> f64 {
        if self.low == self.high { self.low } else { self.low + (self.high - self.low) * random.unit() }
    }

    /// Both limits must lie strictly between the bounds.
    pub(crate) fn check(&self, parameter: &'static str, above: f64, below: f64) -> Result<(), SimulateError> {
        let allowed = AllowedRange { low: Bound::Excluded(above), high: Bound::Excluded(below) };
        self.check_within(parameter, allowed)
    }

    /// Both limits must lie in the range.
    pub(crate) fn check_within(
        &self,
        parameter: &'static str,
        allowed: AllowedRange,
    ) -> Result<(), SimulateError> {
        if !(allowed.contains(self.low) && allowed.contains(self.high)) {
            return Err(SimulateError::OutOfRange { parameter, value: self.write(), allowed });
        }
        if self.low > self.high {
            return Err(SimulateError::ReversedRange { parameter, low: self.low, high: self.high });
        }
        Ok(())
    }
}

/// A value that is written as text and read back.
pub(crate) trait Parameter {
    fn write(&self) -> String;
    /// Replaces the value, or returns what the text must be.
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue>;
}

impl Parameter for usize {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = text.parse().map_err(|_| ExpectedValue::WholeNumber)?;
        Ok(())
    }
}

impl Parameter for f64 {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        *self = number.ok_or(ExpectedValue::Number)?;
        Ok(())
    }
}

impl Parameter for bool {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = text.parse().map_err(|_| ExpectedValue::Boolean)?;
        Ok(())
    }
}

impl Parameter for Uniform {
    fn write(&self) -> String {
        if self.low == self.high { self.low.to_string() } else { format!("{}..{}", self.low, self.high) }
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let mut read = *self;
        let ends = read.low.read(low).and_then(|()| read.high.read(high));
        ends.map_err(|_| ExpectedValue::NumberOrRange)?;
        *self = read;
        Ok(())
    }
}

impl Parameter for Vec<usize> {
    fn write(&self) -> String {
        self.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        let numbers: Result<Vec<usize>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        *self = numbers.map_err(|_| ExpectedValue::WholeNumbers)?;
        Ok(())
    }
}

impl Parameter for Split {
    fn write(&self) -> String {
        self.name().into()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = find_named(text, &Split::ALL, Split::name)?;
        Ok(())
    }
}

impl Parameter for Parents {
    fn write(&self) -> String {
        self.name().into()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = find_named(text, &Parents::ALL, Parents::name)?;
        Ok(())
    }
}

impl Parameter for RiskScale {
    fn write(&self) -> String {
        self.name().into()
    }
    fn read(&mut self, text: &str) -> Result<(), ExpectedValue> {
        *self = find_named(text, &RiskScale::ALL, RiskScale::name)?;
        Ok(())
    }
}

fn find_named<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, ExpectedValue> {
    let found = all.iter().copied().find(|&one| name(one) == text);
    found.ok_or_else(|| ExpectedValue::OneOf(all.iter().map(|&one| name(one)).collect()))
}

impl Recipe {
    /// Name and value of every parameter, in a fixed order.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        // `visit` needs `&mut self`, so that one list of parameters serves for reading and writing.
        self.clone().visit(&mut |name, value| list.push((name.to_owned(), value.write())));
        list
    }

    /// Sets a parameter by its name. [`Recipe::check`] tests whether all parameters are consistent.
    ///
    /// ```
    /// let mut recipe = concause_simulate::Recipe::named("weak").unwrap();
    /// recipe.set("rows", "20000")?;
    /// recipe.set("coefficients", "0.2..0.4")?;
    /// assert_eq!(
    ///     recipe.set("split", "bind").unwrap_err().to_string(),
    ///     "split must be aware, blind or blind-half, but is 'bind'"
    /// );
    /// # Ok::<(), concause_simulate::SimulateError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SimulateError> {
        let mut outcome = None;
        self.visit(&mut |known, parameter| {
            if known == name {
                outcome = Some(parameter.read(value));
            }
        });
        match outcome {
            Some(Ok(())) => Ok(()),
            Some(Err(expected)) => {
                Err(SimulateError::InvalidValue { parameter: name.into(), value: value.into(), expected })
            }
            None => Err(SimulateError::UnknownParameter {
                recipe: self.name.clone(),
                parameter: name.into(),
                known: self.parameters().into_iter().map(|(name, _)| name).collect(),
            }),
        }
    }

    /// Calls the visitor with every parameter.
    fn visit(&mut self, visitor: &mut dyn FnMut(&str, &mut dyn Parameter)) {
        visitor("rows", &mut self.rows);
        visitor("predictors", &mut self.predictors);
        let planted = match &mut self.kind {
            RecipeKind::Network(network) => Some(&mut network.planted),
            RecipeKind::Logistic(logistic) => Some(&mut logistic.planted),
            RecipeKind::RiskModel(_) | RecipeKind::CompleteTable(_) => None,
        };
        if let Some(planted) = planted {
            visitor("share", &mut planted.share);
            visitor("singles", &mut planted.singles);
            visitor("combined", &mut planted.combined);
            visitor("parts", &mut planted.parts);
            visitor("split", &mut planted.split);
            visitor("parents", &mut planted.parents);
            visitor("least-g2", &mut planted.least_g2);
        }
        match &mut self.kind {
            RecipeKind::Network(network) => {
                visitor("neighbours", &mut network.neighbours);
                visitor("most-parents", &mut network.most_parents);
            }
            RecipeKind::Logistic(logistic) => {
                visitor("coefficients", &mut logistic.coefficients);
                visitor("signed", &mut logistic.signed);
                visitor("shares", &mut logistic.shares);
                visitor("correlation", &mut logistic.correlation);
                visitor("group", &mut logistic.group);
            }
            RecipeKind::RiskModel(model) => {
                visitor("scale", &mut model.scale);
                visitor("causes", &mut model.causes);
                visitor("effects", &mut model.effects);
                visitor("baseline", &mut model.baseline);
                visitor("shares", &mut model.predictors.shares);
                visitor("nominal", &mut model.predictors.nominal);
                visitor("values", &mut model.predictors.values);
                visitor("numeric", &mut model.predictors.numeric);
                visitor("neighbours", &mut model.predictors.neighbours);
                visitor("edges", &mut model.predictors.edges);
                visitor("missing", &mut model.predictors.missing);
                visitor("later", &mut model.later);
                visitor("children", &mut model.children);
                visitor("rounded", &mut model.rounded);
                visitor("errors", &mut model.errors);
            }
            RecipeKind::CompleteTable(table) => visitor("errors", &mut table.errors),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_can_be_written_and_read_back() {
        for (name, _) in Recipe::NAMES {
            let recipe = Recipe::named(name).unwrap();
            let mut other = recipe.clone();
            other.visit(&mut |name, value| {
                // Another value first, so that the test notices whether reading back works.
                let numbers = ["7", "true", "false", "blind", "random", "strongest", "probit"];
                assert!(numbers.iter().any(|text| value.read(text).is_ok()), "{name}");
            });
            assert_ne!(recipe, other);
            for (parameter, value) in recipe.parameters() {
                other.set(&parameter, &value).unwrap();
            }
            assert_eq!(recipe, other);
        }
    }

    #[test]
    fn bad_values_are_rejected_and_change_nothing() {
        let recipe = Recipe::named("syn-7").unwrap();
        let mut other = recipe.clone();
        let mut rejected = |name: &str, value: &str| other.set(name, value).unwrap_err().to_string();
        assert_eq!(rejected("rows", "-1"), "rows must be a whole number, but is '-1'");
        assert_eq!(rejected("share", "nan"), "share must be a number, but is 'nan'");
        assert_eq!(rejected("parents", "all"), "parents must be random or strongest, but is 'all'");
        assert_eq!(
            rejected("noise", "1"),
            "the recipe 'syn-7' has no parameter 'noise'; it has rows, predictors, share, singles, combined, parts, \
             split, parents, least-g2, neighbours, most-parents"
        );
        assert_eq!(recipe, other);
        let mut corr = Recipe::named("corr").unwrap();
        assert_eq!(
            corr.set("shares", "0.2..").unwrap_err().to_string(),
            "shares must be a number or a range such as 0.35..0.7, but is '0.2..'"
        );
        assert_eq!(corr, Recipe::named("corr").unwrap());
    }
}
