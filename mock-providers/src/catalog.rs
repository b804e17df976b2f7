//! The catalog: contracts of real and made-up services, as files with source, date and confidence.

use crate::contradiction;
use crate::raw::RawService;
use crate::service::{ContractError, Service};

/// File stem and text of every preset, sorted by name.
const PRESETS: &[(&str, &str)] = &[
    ("amazon_mcf", include_str!("../catalog/amazon_mcf.toml")),
    ("approval_house", include_str!("../catalog/approval_house.toml")),
    ("approval_inbox", include_str!("../catalog/approval_inbox.toml")),
    ("easypost_buy", include_str!("../catalog/easypost_buy.toml")),
    ("forgetful_pay", include_str!("../catalog/forgetful_pay.toml")),
    ("inventory_house", include_str!("../catalog/inventory_house.toml")),
    ("mail_keyed", include_str!("../catalog/mail_keyed.toml")),
    ("mail_plain", include_str!("../catalog/mail_plain.toml")),
    ("peer_baseline", include_str!("../catalog/peer_baseline.toml")),
    ("shippo_txn", include_str!("../catalog/shippo_txn.toml")),
    ("slow_bank", include_str!("../catalog/slow_bank.toml")),
    ("slow_carrier", include_str!("../catalog/slow_carrier.toml")),
    ("stripe_v1", include_str!("../catalog/stripe_v1.toml")),
];

/// The names of all presets, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|p| p.0)
}

/// The text of a preset's file, as it is in the catalog.
pub fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|p| p.0 == name).map(|p| p.1)
}

/// The preset of this name.
///
/// # Errors
/// [`ContractError::Unknown`] with the names there are.
pub fn preset(name: &str) -> Result<Service, ContractError> {
    match text(name) {
        Some(text) => parse(text, name),
        None => Err(ContractError::Unknown { name: name.into(), known: names().collect::<Vec<_>>().join(", ") }),
    }
}

/// Reads a service. `name` is what errors call it: the file or the preset.
///
/// # Errors
/// [`ContractError::Toml`] with line and column, or the first [`ContractError::Contradiction`].
pub fn parse(text: &str, name: &str) -> Result<Service, ContractError> {
    let raw: RawService = toml::from_str(text)
        .map_err(|e| ContractError::Toml { service: name.into(), text: e.to_string().trim_end().into() })?;
    for (op, contract) in &raw.ops {
        contradiction::find(op.0, contract).map_err(|c| c.of(name, op.0))?;
    }
    Ok(raw.service())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_read_and_bears_its_name() {
        for name in names() {
            let service = preset(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(service.name, name);
            assert!(service.offered().count() > 0);
        }
        assert!(names().is_sorted());
    }

    #[test]
    fn the_embedded_list_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalog");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the catalog's folder")
            .filter_map(|f| f.ok()?.file_name().to_str()?.strip_suffix(".toml").map(String::from))
            .collect();
        files.sort();
        assert_eq!(files, names().collect::<Vec<_>>());
    }
}
