//! What a surface shows while a reply streams.

use record::Block;

/// What the last chunk added to the reply. `block` counts the blocks as they were first seen; what
/// was shown of a block is what is stored of it.
///
/// A call that is being written is to be looked at only: calls to run stand in the finished row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Live<'l> {
    /// Something was said.
    Speech {
        /// Which block.
        block: usize,
        /// What was added.
        text: &'l str,
    },
    /// Something was thought.
    Thought {
        /// Which block.
        block: usize,
        /// What was added.
        text: &'l str,
    },
    /// A call is being written.
    Call {
        /// Which block.
        block: usize,
        /// Its id, as far as it is known.
        id: &'l str,
        /// The tool's name, as far as it is known.
        name: &'l str,
        /// What was added to its arguments.
        arguments: &'l str,
    },
    /// A block came whole: it stands for whatever was shown of it.
    Whole {
        /// Which block.
        block: usize,
        /// What it is.
        of: &'l Block,
    },
    /// A block is finished.
    Closed {
        /// Which block.
        block: usize,
    },
}
