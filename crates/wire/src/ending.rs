//! How a reply ended, in the words that all dialects share.

/// What a provider's stop reason comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The reply is finished.
    Stop,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// A limit was reached: the reply is cut.
    MaxTokens,
    /// The provider ended it for what it says.
    Refused,
    /// It failed on the way.
    Failed,
}
