//! Results that survive an interruption.
//!
//! A file of JSON lines, one for each finished piece of work, is written as the work goes on; what a later run finds
//! there it does not do again. The file belongs to one state of the code: its name says which.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Finished pieces of work by their keys.
pub struct Store {
    known: Mutex<BTreeMap<String, Value>>,
    file: Mutex<File>,
}

impl Store {
    /// Opens the file, and makes it if there is none. A last line that was cut short is work not done.
    pub fn open(path: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot use {}: {error}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let known =
            text.lines().filter_map(|line| serde_json::from_str::<(String, Value)>(line).ok()).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Store { known: Mutex::new(known), file: Mutex::new(file) })
    }

    /// What is known by this key.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let value = locked(&self.known).get(key).cloned()?;
        serde_json::from_value(value).ok()
    }

    /// Keeps a result.
    pub fn put<T: Serialize>(&self, key: &str, result: &T) -> Result<(), String> {
        let failed = |error: &dyn std::fmt::Display| format!("cannot keep the result of {key}: {error}");
        let value = serde_json::to_value(result).map_err(|error| failed(&error))?;
        let line = serde_json::to_string(&(key, &value)).map_err(|error| failed(&error))? + "\n";
        locked(&self.file).write_all(line.as_bytes()).map_err(|error| failed(&error))?;
        locked(&self.known).insert(key.to_owned(), value);
        Ok(())
    }

    /// What is known by this key, worked out first if need be.
    pub fn get_or<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        if let Some(known) = self.get(key) {
            return Ok(known);
        }
        let result = work()?;
        self.put(key, &result)?;
        Ok(result)
    }
}

/// A thread that panicked while it held the lock has not left anything half done: a line is written at once.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_finished_is_not_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/store.jsonl");
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get::<u64>("a"), None);
        assert_eq!(store.get_or("a", || Ok(1)), Ok(1));
        store.put("b \"quoted\"\n", &vec![2.5]).unwrap();
        drop(store);
        // A line that was cut short is not known, and does not spoil the next.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("[\"c\", 1");
        std::fs::write(&path, text).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get_or("a", || Err("again".into())), Ok(1));
        assert_eq!(store.get::<Vec<f64>>("b \"quoted\"\n"), Some(vec![2.5]));
        assert_eq!(store.get::<u64>("c"), None);
        store.put("c", &3).unwrap();
        drop(store);
        assert_eq!(Store::open(&path).unwrap().get::<u64>("c"), Some(3));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let sentence = Store::open(&file.path().join("store.jsonl")).map(|_| ()).unwrap_err();
        assert!(sentence.starts_with("cannot use ") && sentence.contains("store.jsonl"), "{sentence}");
    }
}
