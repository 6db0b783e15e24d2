//! The parameters of a recipe by name: read from text, written as text.

use super::{Kind, Parents, Random, Recipe, Split};

/// A number drawn evenly between two others, written `0.35..0.7`; `1` is always 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Uniform {
    /// Always the same number.
    pub const fn always(number: f64) -> Self {
        Self { low: number, high: number }
    }

    pub(super) fn draw(&self, random: &mut Random) -> f64 {
        if self.low == self.high { self.low } else { self.low + (self.high - self.low) * random.unit() }
    }

    /// Both ends must lie strictly between the bounds.
    pub(super) fn check(&self, name: &str, above: f64, below: f64) -> Result<(), String> {
        let inside = |number: f64| number > above && number < below;
        if !(inside(self.low) && inside(self.high)) {
            return Err(format!(
                "{name} must lie between {above} and {below}, both excluded, but are {}",
                self.write()
            ));
        }
        if self.low > self.high {
            return Err(format!("{name} must name the smaller number first, but are {}", self.write()));
        }
        Ok(())
    }
}

/// Something that can be written as text and read back.
pub(super) trait Parameter {
    fn write(&self) -> String;
    /// Takes a new value, or says what the value must be.
    fn read(&mut self, text: &str) -> Result<(), String>;
}

impl Parameter for usize {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse().map_err(|_| "a whole number")?;
        Ok(())
    }
}

impl Parameter for f64 {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        let number: f64 = text.parse().map_err(|_| "a number")?;
        *self = if number.is_finite() { number } else { return Err("a number".into()) };
        Ok(())
    }
}

impl Parameter for bool {
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = text.parse().map_err(|_| "true or false")?;
        Ok(())
    }
}

impl Parameter for Uniform {
    fn write(&self) -> String {
        if self.low == self.high { self.low.to_string() } else { format!("{}..{}", self.low, self.high) }
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let mut read = *self;
        let ends = read.low.read(low).and_then(|()| read.high.read(high));
        ends.map_err(|_| "a number or two with .. between them, such as 0.35..0.7")?;
        *self = read;
        Ok(())
    }
}

impl Parameter for Vec<usize> {
    fn write(&self) -> String {
        self.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        let numbers: Result<Vec<usize>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        *self = numbers.map_err(|_| "whole numbers with commas between them, such as 2,3")?;
        Ok(())
    }
}

impl Parameter for Split {
    fn write(&self) -> String {
        self.name().into()
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = one_of(text, &Split::ALL, Split::name)?;
        Ok(())
    }
}

impl Parameter for Parents {
    fn write(&self) -> String {
        self.name().into()
    }
    fn read(&mut self, text: &str) -> Result<(), String> {
        *self = one_of(text, &Parents::ALL, Parents::name)?;
        Ok(())
    }
}

fn one_of<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    all.iter().copied().find(|&one| name(one) == text).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        names.join(" or ")
    })
}

impl Recipe {
    /// Name and value of every parameter, in an order that does not change.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        // The visit hands out places to write to, so that each parameter is named once for reading and writing.
        self.clone().visit(&mut |name, value| list.push((name.to_owned(), value.write())));
        list
    }

    /// Sets a parameter by its name. Whether the parameters fit together, [`Recipe::check`] says.
    ///
    /// ```
    /// let mut recipe = concause::simulate::Recipe::named("weak").unwrap();
    /// recipe.set("rows", "20000")?;
    /// recipe.set("coefficients", "0.2..0.4")?;
    /// assert_eq!(
    ///     recipe.set("split", "bind").unwrap_err(),
    ///     "split must be aware or blind or blind-half, but is 'bind'"
    /// );
    /// # Ok::<(), String>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut outcome = None;
        self.visit(&mut |known, parameter| {
            if known == name {
                outcome = Some(parameter.read(value));
            }
        });
        match outcome {
            Some(Ok(())) => Ok(()),
            Some(Err(must)) => Err(format!("{name} must be {must}, but is '{value}'")),
            None => {
                let names: Vec<String> = self.parameters().into_iter().map(|(name, _)| name).collect();
                Err(format!(
                    "the recipe '{}' has no parameter '{name}'; it has {}",
                    self.name,
                    names.join(", ")
                ))
            }
        }
    }

    /// Hands every parameter to the visitor.
    fn visit(&mut self, visitor: &mut dyn FnMut(&str, &mut dyn Parameter)) {
        visitor("rows", &mut self.rows);
        visitor("predictors", &mut self.predictors);
        let planted = match &mut self.kind {
            Kind::Network(network) => Some(&mut network.planted),
            Kind::Logistic(logistic) => Some(&mut logistic.planted),
            Kind::Formulas(_) | Kind::Epistasis(_) => None,
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
            Kind::Network(network) => {
                visitor("neighbours", &mut network.neighbours);
                visitor("most-parents", &mut network.most_parents);
            }
            Kind::Logistic(logistic) => {
                visitor("coefficients", &mut logistic.coefficients);
                visitor("signed", &mut logistic.signed);
                visitor("shares", &mut logistic.shares);
                visitor("correlation", &mut logistic.correlation);
                visitor("group", &mut logistic.group);
            }
            Kind::Formulas(formulas) => {
                visitor("terms", &mut formulas.terms);
                visitor("other-terms", &mut formulas.other_terms);
                visitor("noise", &mut formulas.noise);
            }
            Kind::Epistasis(epistasis) => {
                visitor("frequency-1", &mut epistasis.frequencies[0]);
                visitor("frequency-2", &mut epistasis.frequencies[1]);
                visitor("other-frequencies", &mut epistasis.other_frequencies);
                visitor("heritability", &mut epistasis.heritability);
                visitor("prevalence", &mut epistasis.prevalence);
                visitor("balanced", &mut epistasis.balanced);
            }
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
                // Something else first, so that reading back is seen to work.
                let numbers = ["7", "true", "false", "blind", "random", "strongest"];
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
    fn bad_values_are_refused_and_change_nothing() {
        let recipe = Recipe::named("syn-7").unwrap();
        let mut other = recipe.clone();
        let mut refused = |name: &str, value: &str| other.set(name, value).unwrap_err();
        assert_eq!(refused("rows", "-1"), "rows must be a whole number, but is '-1'");
        assert_eq!(refused("share", "nan"), "share must be a number, but is 'nan'");
        assert_eq!(refused("parents", "all"), "parents must be random or strongest, but is 'all'");
        assert_eq!(
            refused("noise", "1"),
            "the recipe 'syn-7' has no parameter 'noise'; it has rows, predictors, share, singles, combined, parts, \
             split, parents, least-g2, neighbours, most-parents"
        );
        assert_eq!(recipe, other);
        let mut corr = Recipe::named("corr").unwrap();
        assert_eq!(
            corr.set("shares", "0.2.."),
            Err("shares must be a number or two with .. between them, such as 0.35..0.7, but is '0.2..'"
                .into())
        );
        assert_eq!(corr, Recipe::named("corr").unwrap());
    }
}
