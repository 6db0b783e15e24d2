//! How measures are written in results: an estimate, or null and the reason why there is none. The tables of measures
//! give the names.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::effects::{EFFECT_MEASURES, Effects};
use super::estimate::{Estimate, Measure, Unknown};
use super::interaction::{ADDITIVE_MEASURES, Contrast, ContrastTest, InteractionMeasures, RISK_CONTRASTS};

/// An estimate with its interval, or a contrast with its test, as it is written.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Serialised {
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    z: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_value: Option<Option<f64>>,
    corrected: bool,
    reason: Option<String>,
}

/// A number that every format can represent.
fn finite(number: f64) -> f64 {
    number.clamp(f64::MIN, f64::MAX)
}

impl From<&Measure> for Serialised {
    fn from(measure: &Measure) -> Self {
        let number = |number: fn(&Estimate) -> f64| measure.as_ref().ok().map(number).map(finite);
        Self {
            value: number(|estimate| estimate.value),
            low: Some(number(|estimate| estimate.low)),
            high: Some(number(|estimate| estimate.high)),
            corrected: measure.is_ok_and(|estimate| estimate.corrected),
            reason: measure.err().map(|reason| reason.to_string()),
            ..Self::default()
        }
    }
}

impl From<&ContrastTest> for Serialised {
    fn from(contrast: &ContrastTest) -> Self {
        let number = |number: fn(&Contrast) -> f64| contrast.as_ref().ok().map(number).map(finite);
        Self {
            value: number(|contrast| contrast.value),
            z: Some(number(|contrast| contrast.z)),
            p_value: Some(number(|contrast| contrast.p_value)),
            corrected: contrast.is_ok_and(|contrast| contrast.corrected),
            reason: contrast.err().map(|reason| reason.to_string()),
            ..Self::default()
        }
    }
}

impl Serialised {
    fn measure(&self) -> Measure {
        match (self.value, self.low.flatten(), self.high.flatten()) {
            (Some(value), Some(low), Some(high)) => {
                Ok(Estimate { value, low, high, corrected: self.corrected })
            }
            _ => Err(self.unknown()),
        }
    }

    fn contrast(&self) -> ContrastTest {
        match (self.value, self.z.flatten(), self.p_value.flatten()) {
            (Some(value), Some(z), Some(p_value)) => {
                Ok(Contrast { value, z, p_value, corrected: self.corrected })
            }
            _ => Err(self.unknown()),
        }
    }

    /// The reason with the sentence that was written.
    fn unknown(&self) -> Unknown {
        let has_sentence =
            |reason: &Unknown| self.reason.as_ref().is_some_and(|it| *it == reason.to_string());
        Unknown::ALL.into_iter().find(has_sentence).unwrap_or(Unknown::NotRecorded)
    }
}

/// Writes and reads one [`Measure`], as a field of another type: `#[serde(with = "concause::evidence::measure")]`.
pub mod measure {
    use super::*;

    /// Writes a measure.
    pub fn serialize<S: Serializer>(measure: &Measure, serializer: S) -> Result<S::Ok, S::Error> {
        Serialised::from(measure).serialize(serializer)
    }

    /// Reads a measure.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        Serialised::deserialize(deserializer).map(|entry| entry.measure())
    }
}

/// The measures among the fields of an object.
struct Fields(BTreeMap<String, Field>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Serialised(Serialised),
    Other(IgnoredAny),
}

impl Fields {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer).map(Self)
    }

    /// The measure of this name; one that earlier versions did not estimate is unknown.
    fn find<E: serde::de::Error>(&self, key: &str) -> Result<Serialised, E> {
        match self.0.get(key) {
            Some(Field::Serialised(entry)) => Ok(Serialised { reason: entry.reason.clone(), ..*entry }),
            Some(Field::Other(_)) => Err(E::custom(format!("`{key}` is no estimate"))),
            None => Ok(Serialised::default()),
        }
    }
}

impl Serialize for Effects {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(measure, it)| (measure.key, Serialised::from(&it))))
    }
}

impl<'de> Deserialize<'de> for Effects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::read(deserializer)?;
        let mut effects = Self([Err(Unknown::NotRecorded); EFFECT_MEASURES.len()]);
        for (measure, it) in EFFECT_MEASURES.iter().zip(&mut effects.0) {
            *it = fields.find::<D::Error>(measure.key)?.measure();
        }
        Ok(effects)
    }
}

impl Serialize for InteractionMeasures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let additive = self.additive().map(|(measure, it)| (measure.key, Serialised::from(&it)));
        let contrasts = self.contrasts().map(|(contrast, it)| (contrast.key, Serialised::from(&it)));
        serializer.collect_map(additive.chain(contrasts))
    }
}

impl<'de> Deserialize<'de> for InteractionMeasures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Fields::read(deserializer)?;
        let mut measures = Self {
            additive: [Err(Unknown::NotRecorded); ADDITIVE_MEASURES.len()],
            contrasts: [Err(Unknown::NotRecorded); RISK_CONTRASTS.len()],
        };
        for (measure, it) in ADDITIVE_MEASURES.iter().zip(&mut measures.additive) {
            *it = fields.find::<D::Error>(measure.key)?.measure();
        }
        for (contrast, it) in RISK_CONTRASTS.iter().zip(&mut measures.contrasts) {
            *it = fields.find::<D::Error>(contrast.key)?.contrast();
        }
        Ok(measures)
    }
}
