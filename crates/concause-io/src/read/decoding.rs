//! Runs decoders that panic on some damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is decoding a file.
pub(super) fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs code that may panic, with [`is_decoding`] set for the panic hook.
#[cfg_attr(not(any(feature = "arrow", feature = "excel")), allow(dead_code))]
pub(super) fn with_decoding_flag<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            DECODING.set(self.0);
        }
    }
    let _restore = Restore(DECODING.replace(true));
    work()
}

/// Runs code that may panic; nothing if it does. A damaged file must not end the program.
#[cfg_attr(not(any(feature = "arrow", feature = "excel")), allow(dead_code))]
pub(super) fn catch_panics<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(|| with_decoding_flag(work))).ok()
}
