//! What `prepare` gives: the entries to append before a request leaves, and the request.

use record::Entry;
use wire::anthropic_messages::request::Body;

use crate::report::Report;

/// A request that the provider would accept, with its report.
///
/// There is no other way to one than [`crate::Replayer::prepare`].
#[derive(Clone, Debug)]
pub struct ValidRequest {
    body: Body,
    betas: Vec<&'static str>,
    report: Report,
}

impl ValidRequest {
    pub(crate) fn new(body: Body, betas: Vec<&'static str>, report: Report) -> ValidRequest {
        ValidRequest { body, betas, report }
    }

    /// The body's bytes, in pages that requests share.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Values the `anthropic-beta` header has to hold.
    pub fn betas(&self) -> &[&'static str] {
        &self.betas
    }

    /// What the request does not say as it is stored.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// A request, and what goes into the record before its first byte leaves.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// To be appended in one go at the tip the request covers; empty for a retry of equal bytes.
    pub append: Vec<Entry>,
    /// The request.
    pub request: ValidRequest,
}
