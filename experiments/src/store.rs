//! Results that survive an interruption.
//!
//! Each finished result is appended to a file as a line of JSON. A later run does not compute it again. The name of
//! the file identifies the state of the code.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use concause_bench::error::ToolError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Finished results by their keys.
pub struct Store {
    path: PathBuf,
    known: Mutex<BTreeMap<String, Value>>,
    file: Mutex<File>,
}

impl Store {
    /// Opens the file, or creates it. An incomplete last line is ignored.
    pub fn open(path: &Path) -> Result<Self, ToolError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(ToolError::file(path))?;
        }
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ToolError::file(path)(error)),
        };
        let known =
            text.lines().filter_map(|line| serde_json::from_str::<(String, Value)>(line).ok()).collect();
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).map_err(ToolError::file(path))?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(ToolError::file(path))?;
        }
        Ok(Store { path: path.to_owned(), known: Mutex::new(known), file: Mutex::new(file) })
    }

    /// The result of a key, if it is stored.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let value = lock(&self.known).get(key).cloned()?;
        serde_json::from_value(value).ok()
    }

    /// Stores a result.
    pub fn put<T: Serialize>(&self, key: &str, result: &T) -> Result<(), ToolError> {
        let value = serde_json::to_value(result)?;
        let line = serde_json::to_string(&(key, &value))? + "\n";
        lock(&self.file).write_all(line.as_bytes()).map_err(ToolError::file(&self.path))?;
        lock(&self.known).insert(key.to_owned(), value);
        Ok(())
    }

    /// The result of a key. If it is not stored, it is computed and stored.
    pub fn get_or_compute<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        if let Some(known) = self.get(key) {
            return Ok(known);
        }
        let result = compute()?;
        self.put(key, &result)?;
        Ok(result)
    }
}

/// Locks a mutex. A thread that panicked while it held the lock left no partial result, because a line is written by
/// one call.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_results_are_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/store.jsonl");
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get::<u64>("a"), None);
        assert_eq!(store.get_or_compute("a", || Ok(1)).unwrap(), 1);
        store.put("b \"quoted\"\n", &vec![2.5]).unwrap();
        drop(store);
        // An incomplete line is ignored and does not damage the next.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("[\"c\", 1");
        std::fs::write(&path, text).unwrap();
        let store = Store::open(&path).unwrap();
        let again = || Err::<u64, _>(ToolError::Usage("computed again".into()));
        assert_eq!(store.get_or_compute("a", again).unwrap(), 1);
        assert_eq!(store.get::<Vec<f64>>("b \"quoted\"\n"), Some(vec![2.5]));
        assert_eq!(store.get::<u64>("c"), None);
        store.put("c", &3).unwrap();
        drop(store);
        assert_eq!(Store::open(&path).unwrap().get::<u64>("c"), Some(3));
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Store::open(&file.path().join("store.jsonl")).map(|_| ()).unwrap_err();
        assert!(matches!(&error, ToolError::File { path, .. } if path.ends_with("store.jsonl")), "{error}");
    }
}
