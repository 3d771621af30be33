//! What a change of the sources would change under a definition that is the same (design 5.4): such a version follows
//! only if somebody asks for it.

use super::dataset::DatasetObservation;
use crate::api::AnalyticsDatasetSpec;
use crate::api::definition::ColumnTexts;
use crate::canonical;
use crate::compile::{CompiledDataset, Exposure};

/// What a change of a source would change for readers, where the definition itself did not change.
pub(super) fn of_columns(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> Option<Vec<String>> {
    let served: &Exposure = &observation.served.version()?.exposure;
    if observation.status.published.is_none() || !same_definition(observation) {
        return None;
    }
    // A column that is withheld from now on becomes nullable; that is protection, and protection is never deferred.
    let mut unmasked = compiled.exposure.clone();
    for (name, column) in &mut unmasked.columns {
        if let Some(before) = served.columns.get(name).filter(|before| before.protection != column.protection) {
            column.column_type.clone_from(&before.column_type);
        }
    }
    let difference = unmasked.difference(Some(served));
    let changes = [difference.columns_added, difference.columns_removed, difference.columns_retyped].concat();
    (!changes.is_empty()).then_some(changes)
}

/// What makes a table another source than the served version was compiled over, where the definition itself did not
/// change.
pub(super) fn of_rows(observation: &DatasetObservation<'_>) -> Option<String> {
    let version = observation.served.version()?;
    if observation.status.published.is_none() || !same_definition(observation) {
        return None;
    }
    version.fingerprints.iter().find_map(|served| {
        let declaration = &observation.sources.get(&served.source_id)?.declaration;
        let catalog = observation.catalogs.get(&declaration.connection)?;
        let table = catalog.table(&declaration.database, &declaration.table)?;
        let change = served.known_by(declaration.identity).other_source(table, catalog)?;
        Some(format!("the table of {} changed: {change}", served.source_id))
    })
}

/// Whether the object asks for what the served version was compiled from.
pub(super) fn same_definition(observation: &DatasetObservation<'_>) -> bool {
    let Some(version) = observation.served.version() else { return false };
    let asked = |spec: &AnalyticsDatasetSpec| {
        // What is changed in place is no other definition (design 3.6): an edit of a text asks for no other column.
        let mut definition = spec.definition.clone();
        (definition.event_time, definition.scope) = (None, None);
        definition.columns.iter_mut().for_each(|column| column.texts = ColumnTexts::default());
        canonical::hash(&(definition, &spec.time_zone))
    };
    asked(&version.spec) == asked(observation.spec)
}
