//! One code per row, in as many bytes as the largest code needs.

use super::booleans::Booleans;

/// A list of codes that widens from bits to one, two or four bytes.
#[derive(Clone, Debug)]
pub(crate) enum Codes {
    /// Booleans in shared memory.
    Booleans(Booleans),
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Codes {
    /// No codes yet.
    pub fn new() -> Self {
        Self::One(Vec::new())
    }

    /// Appends a code.
    #[inline]
    pub fn push(&mut self, code: u32) {
        match self {
            Self::One(codes) if code <= u32::from(u8::MAX) => codes.push(code as u8),
            Self::Two(codes) if code <= u32::from(u16::MAX) => codes.push(code as u16),
            Self::Four(codes) => codes.push(code),
            _ => self.push_wider(code),
        }
    }

    #[cold]
    fn push_wider(&mut self, code: u32) {
        self.widen(code);
        self.push(code);
    }

    /// Makes room for codes up to `largest`.
    fn widen(&mut self, largest: u32) {
        if let Self::Booleans(booleans) = self {
            let mut copied = Self::new();
            booleans.codes_from(0).for_each(|code| copied.push(code));
            *self = copied;
        }
        let wide = match self {
            Self::One(codes) if largest > u32::from(u16::MAX) => {
                Self::Four(codes.iter().map(|&code| code.into()).collect())
            }
            Self::One(codes) if largest > u32::from(u8::MAX) => {
                Self::Two(codes.iter().map(|&code| code.into()).collect())
            }
            Self::Two(codes) if largest > u32::from(u16::MAX) => {
                Self::Four(codes.iter().map(|&code| code.into()).collect())
            }
            _ => return,
        };
        *self = wide;
    }

    /// Appends codes.
    pub fn extend(&mut self, added: &[u32]) {
        self.widen(added.iter().copied().max().unwrap_or(0));
        match self {
            // Widened to bytes at least.
            Self::Booleans(_) => {}
            Self::One(codes) => codes.extend(added.iter().map(|&code| code as u8)),
            Self::Two(codes) => codes.extend(added.iter().map(|&code| code as u16)),
            Self::Four(codes) => codes.extend_from_slice(added),
        }
    }

    /// Appends codes of another dictionary; `translation` has the code here of each of them.
    pub fn extend_translated(&mut self, added: &Self, translation: &[u32]) {
        self.widen(translation.iter().copied().max().unwrap_or(0));
        match self {
            // Widened to bytes at least.
            Self::Booleans(_) => {}
            Self::One(codes) => match added {
                Self::One(added) => {
                    let is_same = translation.iter().enumerate().all(|(code, &here)| code == here as usize);
                    match is_same {
                        true => codes.extend_from_slice(added),
                        false => codes.extend(added.iter().map(|&code| translation[usize::from(code)] as u8)),
                    }
                }
                _ => {
                    codes.reserve(added.len());
                    added.for_each(|_, code| codes.push(translation[code] as u8));
                }
            },
            Self::Two(codes) => {
                codes.reserve(added.len());
                added.for_each(|_, code| codes.push(translation[code] as u16));
            }
            Self::Four(codes) => {
                codes.reserve(added.len());
                added.for_each(|_, code| codes.push(translation[code]));
            }
        }
    }

    /// Removes the codes and keeps the capacity.
    pub fn clear(&mut self) {
        match self {
            Self::Booleans(_) => *self = Self::new(),
            Self::One(codes) => codes.clear(),
            Self::Two(codes) => codes.clear(),
            Self::Four(codes) => codes.clear(),
        }
    }

    /// The bytes they take, without shared memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Booleans(booleans) => size_of_val(booleans.runs()),
            Self::One(codes) => codes.capacity(),
            Self::Two(codes) => codes.capacity() * 2,
            Self::Four(codes) => codes.capacity() * 4,
        }
    }

    /// Calls `visit` with the number of each row from `first` up to `end`, counted from `first`, and its code.
    #[inline]
    pub fn for_each_in(&self, first: usize, end: usize, mut visit: impl FnMut(usize, usize)) {
        match self {
            Self::Booleans(booleans) => booleans
                .codes_from(first)
                .take(end - first)
                .enumerate()
                .for_each(|(row, code)| visit(row, code as usize)),
            Self::One(codes) => {
                codes[first..end].iter().enumerate().for_each(|(row, &code)| visit(row, code.into()))
            }
            Self::Two(codes) => {
                codes[first..end].iter().enumerate().for_each(|(row, &code)| visit(row, code.into()))
            }
            Self::Four(codes) => {
                codes[first..end].iter().enumerate().for_each(|(row, &code)| visit(row, code as usize))
            }
        }
    }

    /// The number of codes.
    pub fn len(&self) -> usize {
        match self {
            Self::Booleans(booleans) => booleans.len(),
            Self::One(codes) => codes.len(),
            Self::Two(codes) => codes.len(),
            Self::Four(codes) => codes.len(),
        }
    }

    /// Calls `visit` with the number of each row and its code.
    #[inline]
    pub fn for_each(&self, visit: impl FnMut(usize, usize)) {
        self.for_each_in(0, self.len(), visit);
    }

    /// The code of one row.
    #[inline]
    pub fn get(&self, row: usize) -> usize {
        match self {
            Self::Booleans(booleans) => booleans.codes_from(row).next().unwrap_or(0) as usize,
            Self::One(codes) => codes[row].into(),
            Self::Two(codes) => codes[row].into(),
            Self::Four(codes) => codes[row] as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_every_widening() {
        for last in [255, 256, 65_535, 65_536, 70_000] {
            let mut codes = Codes::new();
            (0..=last).for_each(|code| codes.push(code));
            let width = match codes {
                Codes::Booleans(_) => 0,
                Codes::One(_) => 1,
                Codes::Two(_) => 2,
                Codes::Four(_) => 4,
            };
            assert_eq!(
                width,
                if last < 256 {
                    1
                } else if last < 65_536 {
                    2
                } else {
                    4
                }
            );
            let mut expected = 0;
            codes.for_each(|row, code| {
                assert_eq!((row, code), (expected, expected));
                expected += 1;
            });
            assert_eq!(expected, last as usize + 1);
        }
        let mut codes = Codes::new();
        [1, 100_000, 2].into_iter().for_each(|code| codes.push(code));
        assert_eq!((codes.get(0), codes.get(1), codes.get(2)), (1, 100_000, 2));
    }
}
