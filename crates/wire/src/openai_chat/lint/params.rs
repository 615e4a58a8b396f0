//! Parameters that depend on the model or the vendor.

use json::{Kind, Value};

use super::Body;
use super::verdict::Verdict;
use crate::report::Fill;

/// C-034 and K-039.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if let Some(value) = body.param("max_completion_tokens") {
        let takes = body.vendor.max_completion_tokens;
        let path = "max_completion_tokens".to_owned();
        verdict.unless(takes, "C-034", path, value.offset(), &[]);
    }
    if body.vendor.serves_openai {
        classic(body, verdict);
    }
    stop(body, verdict);
}

/// C-034: what reasoning models refuse.
fn classic(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for name in ["max_tokens", "stop", "prediction", "temperature", "top_p"] {
        let Some(value) = body.param(name) else { continue };
        // The default is taken.
        let default = matches!(name, "temperature" | "top_p") && value.as_f64() == Some(1.0);
        if !default {
            let takes = body.model.classic_parameters;
            verdict.unless(takes, "C-034", name.to_owned(), value.offset(), &[]);
        }
    }
}

/// K-039.
fn stop(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let stop = body.param("stop").filter(|stop| stop.kind() == Kind::Array);
    let len = stop.into_iter().flat_map(Value::items).count();
    let Some((limit, stop)) = body.vendor.stop_max.zip(stop) else { return };
    if len > limit.max {
        let fill: Fill<'_> = &[("max", &limit.max), ("len", &len)];
        verdict.unless(limit.more, "K-039", "stop".to_owned(), stop.offset(), fill);
    }
}
