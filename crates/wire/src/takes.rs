//! Whether something is taken: what the columns of a row say.

/// Whether a vendor or a model takes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Accepted.
    Yes,
    /// Not established, or up to the model's template: to be avoided.
    Doubtful,
    /// Refused.
    No,
}
