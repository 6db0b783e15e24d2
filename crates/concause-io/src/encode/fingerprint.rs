//! A fingerprint of the data, equal for two runs on the same data.
//!
//! Every cell is hashed from the position of its attribute and its value (a number by its value, so that `1` and `1.0`
//! agree between file formats; text by its bytes). The hashes of the cells of a row add up to a row hash, and the mixed
//! row hashes add up over all rows, in two sums of 64 bits with different salts. Addition makes the result independent
//! of the order of the rows. The names of the attributes, the number of rows and the target are mixed in last. A row
//! with a weight is added that many times and the attribute of the weights is skipped, so that the table with repeated
//! rows has the same fingerprint. All arithmetic is on little-endian 64-bit words, so every machine gives the same 32
//! digits. The fingerprint protects against mistakes, not against forgery.

use rayon::prelude::*;

use super::weights::Weights;
use crate::table::cell::parse_number;
use crate::table::{Attribute, CellStore};

const ROWS_PER_TASK: usize = 4096;
const MISSING: u64 = 0x6d69_7373_696e_6700;
const NUMBER: u64 = 0x6e75_6d62_6572_0000;
const TEXT: u64 = 0x7465_7874_0000_0000;
const SALTS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];

/// The finaliser of SplitMix64: every bit of the state affects every bit of the result.
fn mix(state: u64) -> u64 {
    let mut state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut state = mix(seed ^ bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        state = mix(state ^ u64::from_le_bytes(word));
    }
    state
}

fn hash_number(seed: u64, number: f64) -> u64 {
    // Adding zero turns minus zero into zero.
    mix(mix(seed ^ NUMBER) ^ (number + 0.0).to_bits())
}

fn hash_value(seed: u64, text: &str) -> u64 {
    match parse_number(text) {
        Some(number) => hash_number(seed, number),
        None => hash_bytes(seed ^ TEXT, text.as_bytes()),
    }
}

/// The fingerprint of the attributes of a table and a target, 32 hexadecimal digits.
pub(crate) fn compute_fingerprint(
    attributes: &[&Attribute],
    rows: u64,
    weights: &Weights,
    target: &str,
) -> String {
    let names = attributes.iter().map(|attribute| attribute.name.as_str());
    finish_fingerprint(sum_rows(attributes, rows, weights), weights.total(rows), names, target)
}

/// The two sums over some rows of a table; those of several blocks of rows add up.
pub(crate) fn sum_rows(attributes: &[&Attribute], rows: u64, weights: &Weights) -> [u64; 2] {
    let rows = rows as usize;
    let seeds: Vec<u64> = (0..attributes.len()).map(|position| mix(position as u64 + 1)).collect();
    let hashes: Vec<Vec<u64>> = attributes
        .iter()
        .zip(&seeds)
        .map(|(attribute, &seed)| match &attribute.cells {
            CellStore::Coded(dictionary, _) => {
                let values = dictionary.iter().map(|(_, value)| hash_value(seed, value));
                std::iter::once(mix(seed ^ MISSING)).chain(values).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    (0..rows.div_ceil(ROWS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let first = task * ROWS_PER_TASK;
            let sums = row_sums(attributes, &hashes, &seeds, first, rows.min(first + ROWS_PER_TASK));
            SALTS.map(|salt| {
                let mixed = sums
                    .iter()
                    .enumerate()
                    .map(|(row, &sum)| mix(sum ^ salt).wrapping_mul(weights.row_weight(first + row).into()));
                mixed.fold(0, u64::wrapping_add)
            })
        })
        .reduce(|| [0; 2], add_sums)
}

/// The sums over the rows of two blocks.
pub(crate) fn add_sums(left: [u64; 2], right: [u64; 2]) -> [u64; 2] {
    [left[0].wrapping_add(right[0]), left[1].wrapping_add(right[1])]
}

/// The fingerprint from the sums over all rows.
pub(crate) fn finish_fingerprint<'a>(
    sums: [u64; 2],
    rows: u64,
    names: impl Iterator<Item = &'a str> + Clone,
    target: &str,
) -> String {
    let finished = sums.map(|sum| {
        let named = names.clone().fold(mix(sum ^ rows), |state, name| hash_bytes(state, name.as_bytes()));
        hash_bytes(named, target.as_bytes())
    });
    format!("{:016x}{:016x}", finished[0], finished[1])
}

/// The sums of the hashes of the cells of some rows. `hashes` are those of the codes of each attribute.
fn row_sums(
    attributes: &[&Attribute],
    hashes: &[Vec<u64>],
    seeds: &[u64],
    first: usize,
    end: usize,
) -> Vec<u64> {
    let mut sums = vec![0u64; end - first];
    for ((attribute, hashes), &seed) in attributes.iter().zip(hashes).zip(seeds) {
        match &attribute.cells {
            CellStore::Coded(_, codes) => {
                codes.for_each_in(first, end, |row, code| sums[row] = sums[row].wrapping_add(hashes[code]));
            }
            CellStore::Numbers(numbers) => {
                for (sum, &number) in sums.iter_mut().zip(&numbers[first..end]) {
                    let hash = if number.is_nan() { mix(seed ^ MISSING) } else { hash_number(seed, number) };
                    *sum = sum.wrapping_add(hash);
                }
            }
            // Their cells are not stored and cannot contribute.
            CellStore::TooMany | CellStore::Unsupported(_) => {}
        }
    }
    sums
}
