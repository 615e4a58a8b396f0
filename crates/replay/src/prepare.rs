//! What `prepare` gives: the entries to append before a request leaves, and the request.

use std::sync::Arc;

use record::Entry;
use wire::body::Body;

use crate::report::Report;
use crate::sent::Proposal;

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
    /// The request.
    pub request: ValidRequest,
    proposal: Arc<Proposal>,
}

impl Prepared {
    pub(crate) fn new(proposal: Arc<Proposal>, request: ValidRequest) -> Prepared {
        Prepared { request, proposal }
    }

    /// To be appended in one go at the tip the request covers; empty for a retry of equal bytes.
    ///
    /// The first call reads all bytes that no `sent` of this replayer covered, for their digests;
    /// a request that never leaves does not pay for it.
    pub fn append(&self) -> &[Entry] {
        self.proposal.append()
    }
}
