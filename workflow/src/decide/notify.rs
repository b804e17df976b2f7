//! Telling the customer how the order ended, once.

use super::{gate, reconcile};
use crate::context::{Context, Step};
use crate::order::End;
use crate::policy::MailRule;
use crate::tool::Tool;

/// Tell, then end. A failed mail never changes what happened to the order (R18).
pub(crate) fn next(ctx: &Context<'_>, end: End) -> Step {
    if ctx.order.notification_unknown {
        return Step::End(end);
    }
    let open = ctx.op(Tool::Notify).status.is_open();
    match ctx.policy.mail {
        MailRule::Never => return Step::End(end),
        MailRule::UntilAnswered if open => {
            return reconcile::when_due(ctx, Tool::Notify, Step::Replay(Tool::Notify));
        }
        MailRule::Once | MailRule::UntilAnswered => {}
    }
    match gate::standing(ctx, Tool::Notify) {
        None => Step::End(end),
        Some(Step::Cancel(_)) => Step::Untold,
        Some(step) => step,
    }
}
