//! `list` and `explain`.

use super::Done;
use super::args::{Explain, Format, List};
use crate::conclusion::Conclusion;
use crate::report;

pub(super) fn list(args: &List) -> Done {
    let rows = report::rows(args.what.name());
    let text = match args.format {
        Format::Human => report::list(&rows),
        Format::Json => report::list_json(&rows),
    };
    report::out(&text)?;
    Ok(Conclusion::Kept)
}

pub(super) fn explain(args: &Explain) -> Done {
    report::out(&report::explain(&args.name)?)?;
    Ok(Conclusion::Kept)
}
