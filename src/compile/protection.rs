//! Whether a stated protection does what its words promise (design 3, 4.8). Which protection a value has in the end is
//! `lineage`'s and `floors`'s.

use super::diagnostic::{Code, Diagnostic};
use crate::api::definition::Definition;
use crate::api::sensitivity::{Level, Sensitivity};

/// A mask that is stated for a value that every reader sees as it is: whoever wrote it believes the value masked.
///
/// `what` is the value, `path` where its `sensitivity` stands.
pub(super) fn masks_nothing(
    stated: Option<&Sensitivity>,
    what: impl FnOnce() -> String,
    path: impl FnOnce() -> String,
) -> Option<Diagnostic> {
    let stated = stated?;
    (stated.level == Level::Public && stated.mask.is_some()).then(|| {
        let message = format!("`{}` is `Public` and has a `mask`, but a public value is shown as it is.", what());
        Diagnostic::new(Code::MaskOnPublic, format!("{}.sensitivity.mask", path()), message)
            .help("State `level: Display` or `level: Confidential` to have it masked, or leave out `mask` to show it.")
    })
}

/// The same of all that a definition states.
pub(super) fn of_definition(definition: &Definition, found: &mut Vec<Diagnostic>) {
    for (index, column) in definition.columns.iter().enumerate() {
        let path = || format!("spec.definition.columns[{index}]");
        found.extend(masks_nothing(column.sensitivity.as_ref(), || column.name.clone(), path));
        for (part, element) in column.elements.iter().enumerate() {
            let what = || format!("{}.{}", column.name, element.path);
            let place = || format!("{}.elements[{part}]", path());
            found.extend(masks_nothing(element.sensitivity.as_ref(), what, place));
        }
    }
}
