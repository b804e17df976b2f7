//! `list` and `explain`.

use super::Done;
use super::args::{Explain, Format, List};
use crate::report;
use crate::verdict::Verdict;

pub(super) fn list(args: &List) -> Done {
    let rows = report::rows(args.what.name());
    match args.format {
        Format::Human => report::out(&report::list(&rows)),
        Format::Json => report::out(&report::list_json(&rows)),
    }
    Ok(Verdict::Kept)
}

pub(super) fn explain(args: &Explain) -> Done {
    report::out(&report::explain(&args.name)?);
    Ok(Verdict::Kept)
}
