//! Encodes candidates and counts in messages.

use crate::codec::{CodecError, Decoder, Encoder};
use crate::count::Count;
use crate::dataset::Candidate;

pub(super) fn encode_candidates(encoder: &mut Encoder, candidates: &[Candidate]) {
    encoder.length(candidates.len());
    candidates.iter().for_each(|candidate| encoder.numbers(candidate.columns()));
}

pub(super) fn decode_candidates(decoder: &mut Decoder<'_>) -> Result<Vec<Candidate>, CodecError> {
    decoder.list(|decoder| Ok(Candidate::new(decoder.numbers()?)))
}

/// Encodes counts; a run of counts that are 0 in both classes is encoded as its length.
pub(super) fn encode_counts(encoder: &mut Encoder, counts: &[Count]) {
    encoder.length(counts.len());
    for run in counts.chunk_by(|a, b| (a.total() == 0) == (b.total() == 0)) {
        if run[0].total() == 0 {
            [0, 0, run.len() as u64].into_iter().for_each(|number| encoder.number(number));
            continue;
        }
        for count in run {
            encoder.number(count.positive);
            encoder.number(count.negative);
        }
    }
}

pub(super) fn decode_counts(decoder: &mut Decoder<'_>) -> Result<Vec<Count>, CodecError> {
    let length = decoder.length()?;
    let mut counts = Vec::new();
    while counts.len() < length {
        let count = Count { positive: decoder.number()?, negative: decoder.number()? };
        let repeated = if count.total() == 0 { decoder.length()? } else { 1 };
        if repeated == 0 || repeated > length - counts.len() {
            return Err(decoder.error());
        }
        counts.resize(counts.len() + repeated, count);
    }
    Ok(counts)
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
    }
}
