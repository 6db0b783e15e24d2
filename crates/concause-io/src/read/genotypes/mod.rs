//! The readers of genotypes: PLINK's binary files, PLINK's text with allele counts, and VCF.
//!
//! All three give the same table: `SEX` and `PHENOTYPE`, then a column for each variant with the number of copies of
//! one allele, 0, 1 or 2, named `rs1_A` after the variant and the allele that is counted.

mod bed;
mod people;
mod raw;
mod vcf;

pub(super) use self::bed::BedReader;
pub(super) use self::raw::RawReader;
pub(super) use self::vcf::VcfReader;

/// The numbers of copies of an allele; a cell is an index of them.
const COUNTS: [&str; 3] = ["0", "1", "2"];
