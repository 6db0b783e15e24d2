//! Encodes candidates, counts and weights in messages.

use concause::count::{Count, Weight};
use concause::dataset::{Candidate, Literal};

use crate::codec::{CodecError, Decoder, Encoder};

/// The longest run of zeros that is encoded as its length. It bounds the memory for a message by a multiple of its
/// bytes.
const LONGEST_RUN: usize = 1 << 12;

/// The largest count of a class, as in packed rows: sums of two counts do not overflow.
const LARGEST_COUNT: u64 = u64::MAX / 4;

/// The sum of two counts; `None` if it is larger than any count may be.
pub(crate) fn add_counts(one: Count, other: Count) -> Option<Count> {
    let add = |one: u64, other: u64| one.checked_add(other).filter(|&sum| sum <= LARGEST_COUNT);
    Some(Count { positive: add(one.positive, other.positive)?, negative: add(one.negative, other.negative)? })
}

/// The sum of counts; `None` if it is larger than any count may be.
pub(crate) fn sum_counts<'a>(counts: impl IntoIterator<Item = &'a Count>) -> Option<Count> {
    counts.into_iter().try_fold(Count::default(), |sum, &count| add_counts(sum, count))
}

/// Whether the rows of a count can be among those of another.
pub(crate) fn is_part_of(part: &Count, all: &Count) -> bool {
    part.positive <= all.positive && part.negative <= all.negative
}

pub(crate) fn encode_candidates(encoder: &mut Encoder, candidates: &[Candidate]) {
    encoder.length(candidates.len());
    candidates.iter().for_each(|candidate| encode_literals(encoder, candidate.literals()));
}

pub(crate) fn decode_candidates(decoder: &mut Decoder<'_>) -> Result<Vec<Candidate>, CodecError> {
    decoder.list(decode_candidate)
}

pub(crate) fn decode_candidate(decoder: &mut Decoder<'_>) -> Result<Candidate, CodecError> {
    Ok(Candidate::new(decode_literals(decoder)?))
}

pub(crate) fn encode_literals(encoder: &mut Encoder, literals: &[Literal]) {
    encoder.length(literals.len());
    literals.iter().for_each(|literal| encoder.number(literal.code().into()));
}

pub(crate) fn decode_literals(decoder: &mut Decoder<'_>) -> Result<Vec<Literal>, CodecError> {
    let literals = decoder.numbers()?.into_iter().map(Literal::from_code).collect::<Option<_>>();
    literals.ok_or(decoder.error())
}

/// Encodes counts; a run of counts that are 0 in both classes is encoded as its length.
pub(crate) fn encode_counts(encoder: &mut Encoder, counts: &[Count]) {
    encode_runs(encoder, counts, |encoder, count| {
        encoder.number(count.positive);
        encoder.number(count.negative);
    });
}

pub(crate) fn decode_counts(decoder: &mut Decoder<'_>) -> Result<Vec<Count>, CodecError> {
    decode_runs(decoder, |decoder| {
        let count = Count { positive: decoder.number()?, negative: decoder.number()? };
        add_counts(count, Count::default()).ok_or(decoder.error())
    })
}

/// Encodes sums of weights; a run of sums that are 0 is encoded as its length.
pub(crate) fn encode_sums(encoder: &mut Encoder, sums: &[Weight]) {
    encode_runs(encoder, sums, |encoder, &sum| encode_weight(encoder, sum));
}

pub(crate) fn decode_sums(decoder: &mut Decoder<'_>) -> Result<Vec<Weight>, CodecError> {
    decode_runs(decoder, decode_weight)
}

pub(crate) fn encode_weight(encoder: &mut Encoder, weight: Weight) {
    encoder.signed_number(weight.score);
    encoder.signed_number(weight.information);
}

pub(crate) fn decode_weight(decoder: &mut Decoder<'_>) -> Result<Weight, CodecError> {
    Ok(Weight { score: decoder.signed_number()?, information: decoder.signed_number()? })
}

/// Encodes values; a run of zeros is encoded as one zero and its length, a long one in several parts.
fn encode_runs<T: Default + PartialEq>(
    encoder: &mut Encoder,
    values: &[T],
    encode: impl Fn(&mut Encoder, &T),
) {
    let zero = T::default();
    encoder.length(values.len());
    for run in values.chunk_by(|a, b| (*a == zero) == (*b == zero)) {
        if run[0] == zero {
            for run in run.chunks(LONGEST_RUN) {
                encode(encoder, &zero);
                encoder.length(run.len());
            }
        } else {
            run.iter().for_each(|value| encode(encoder, value));
        }
    }
}

fn decode_runs<T: Clone + Default + PartialEq>(
    decoder: &mut Decoder<'_>,
    decode: impl Fn(&mut Decoder<'_>) -> Result<T, CodecError>,
) -> Result<Vec<T>, CodecError> {
    let length = decoder.length_in_runs(LONGEST_RUN)?;
    let mut values = Vec::new();
    while values.len() < length {
        let value = decode(decoder)?;
        let repeated = if value == T::default() { decoder.length()? } else { 1 };
        if repeated == 0 || repeated > LONGEST_RUN.min(length - values.len()) {
            return Err(decoder.error());
        }
        values.resize(values.len() + repeated, value);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_with_runs_of_zeros_round_trip() {
        let count = |positive, negative| Count { positive, negative };
        let zero = Count::default();
        for counts in [
            vec![],
            vec![zero],
            vec![zero; 1000],
            vec![zero; LONGEST_RUN],
            vec![zero; 3 * LONGEST_RUN + 1],
            vec![count(1, 0), zero, zero, count(0, 1 << 40), zero],
            vec![zero, count(3, 4)],
        ] {
            let mut encoder = Encoder::default();
            encode_counts(&mut encoder, &counts);
            let bytes = encoder.into_bytes();
            let mut decoder = Decoder::new(&bytes, "a message");
            assert_eq!(decode_counts(&mut decoder).unwrap(), counts);
            decoder.finish().unwrap();
        }
        // A corrupt length must fail at the missing bytes instead of allocating memory.
        let mut encoder = Encoder::default();
        encoder.number(1 << 60);
        assert!(decode_counts(&mut Decoder::new(&encoder.into_bytes(), "a message")).is_err());
        // So must a length that so few bytes cannot have, a corrupt length of a run, and a count that overflows in
        // sums.
        let mut encoder = Encoder::default();
        [3 * LONGEST_RUN as u64, 0, 0].into_iter().for_each(|number| encoder.number(number));
        assert!(decode_counts(&mut Decoder::new(&encoder.into_bytes(), "a message")).is_err());
        let mut encoder = Encoder::default();
        [1, 1 << 63, 1].into_iter().for_each(|number| encoder.number(number));
        assert!(decode_counts(&mut Decoder::new(&encoder.into_bytes(), "a message")).is_err());
        let mut encoder = Encoder::default();
        [1 << 60, 0, 0, 1 << 60].into_iter().for_each(|number| encoder.number(number));
        assert!(decode_counts(&mut Decoder::new(&encoder.into_bytes(), "a message")).is_err());
    }

    #[test]
    fn sums_with_runs_of_zeros_round_trip() {
        let weight = |score, information| Weight { score, information };
        let zero = Weight::default();
        for sums in [
            vec![],
            vec![zero; 1000],
            vec![weight(i64::MIN, i64::MAX), zero, zero, weight(0, -1), weight(-1, 0), zero],
        ] {
            let mut encoder = Encoder::default();
            encode_sums(&mut encoder, &sums);
            let bytes = encoder.into_bytes();
            let mut decoder = Decoder::new(&bytes, "a message");
            assert_eq!(decode_sums(&mut decoder).unwrap(), sums);
            decoder.finish().unwrap();
            for end in 0..bytes.len() {
                assert!(decode_sums(&mut Decoder::new(&bytes[..end], "a message")).is_err());
            }
        }
    }
}
