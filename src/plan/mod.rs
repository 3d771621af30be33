//! Layer 1: what is observed → what to do and what to say. Pure; the clock's time comes in as a value.
//!
//! `dataset` and `source` decide; `declaration` says what of a source is in force; `availability` says what may still be served; `approval` reads decisions; `revision` is
//! what is kept for good; `versions` numbers and lists what readers saw; `ddl` writes the statements; `status` the
//! conditions; `retention` says what the history notes and what of it may go.

mod approval;
mod availability;
pub mod dataset;
pub mod ddl;
pub mod declaration;
pub mod guards;
pub mod retention;
pub mod revision;
pub mod source;
mod source_change;
mod status;
mod versions;

pub use approval::{ApprovalMode, GuardState};

/// What to say while the guards of the approval annotations are not in place.
fn unguarded_message(problems: &[String]) -> String {
    format!(
        "No approval counts, because the policies that guard the annotations are not in place: {}",
        problems.join(" ")
    )
}
