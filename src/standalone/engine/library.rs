//! Runs the packaged engine inside this process. The only unsafe code of the program.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;

use libloading::Library;

// The prefix of the engine's result that is read here: text, its length, an owner handle, times and
// counts, and an error text or null.
#[repr(C)]
struct QueryResult {
    text: *mut c_char,
    length: usize,
    owner: *mut std::ffi::c_void,
    elapsed: f64,
    rows_read: u64,
    bytes_read: u64,
    error_message: *const c_char,
}

type QueryFunction = unsafe extern "C" fn(c_int, *mut *mut c_char) -> *mut QueryResult;

unsafe extern "C" {
    // Declared here because `std::process::exit` runs the destructors of the loaded library while
    // its threads still work, which crashes.
    safe fn _exit(code: c_int) -> !;
}

/// Loads the engine and runs it with `arguments`; returns when its statements have ended.
pub(super) fn run(library: &Path, arguments: &[String]) -> Result<(), String> {
    let mut owned = vec![c"clickhouse".to_owned()];
    for argument in arguments {
        owned.push(
            CString::new(argument.as_str()).map_err(|_| format!("the argument `{argument}` contains a zero byte"))?,
        );
    }
    let count = c_int::try_from(owned.len()).map_err(|_| "too many arguments".to_owned())?;
    let mut pointers: Vec<*mut c_char> =
        owned.iter().map(|argument| argument.as_ptr().cast_mut()).chain([std::ptr::null_mut()]).collect();

    // SAFETY: the file is the one whose checksum was verified when it was fetched; its
    // initialisers are those of an ordinary shared library. `query_stable_v2` has the signature of
    // `QueryFunction`. `pointers` is an argument vector ended by null whose strings live in
    // `owned` until the call returns; the engine copies them and does not write to them. The
    // result is null or a valid structure that begins like `QueryResult`, with an error text that
    // ends with a zero byte; it is never freed, and the process ends right after.
    unsafe {
        let library = Library::new(library).map_err(|error| error.to_string())?;
        let query = library.get::<QueryFunction>(b"query_stable_v2\0").map_err(|error| error.to_string())?;
        let result = query(count, pointers.as_mut_ptr());
        let message = match result.as_ref() {
            Some(result) if !result.error_message.is_null() => {
                Some(CStr::from_ptr(result.error_message).to_string_lossy().into_owned())
            }
            _ => None,
        };
        // Unloading would run destructors under threads that still work.
        std::mem::forget(library);
        message.map_or(Ok(()), Err)
    }
}

/// Ends this process at once, without destructors.
pub(super) fn exit_now(code: i32) -> ! {
    _exit(code)
}
