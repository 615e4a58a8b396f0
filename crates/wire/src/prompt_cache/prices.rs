//! What a million tokens of a model cost, as data: one row a model, and no row for one whose price
//! nobody has looked up. A price is never guessed from a name that is like another.
//!
//! In millionths of a US dollar, at the provider's own list price without batch, priority or
//! regional rates. Looked up in 2026-11 in the pages named beside each table as they were read on
//! the dates given there, and in lists of prices that cite them; a price that is said to end on a
//! date stands in no row.

use crate::anthropic_messages::models as claude;
use crate::openai_responses::models::undated;

use super::rules::Api;

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The model's exact id, without a date.
    pub id: &'static str,
    /// Input that no cache takes part in.
    pub input: u64,
    /// Input that is read from the cache.
    pub cache_read: u64,
    /// Input that is written to the cache, kept as long as the provider does by itself.
    pub cache_write: u64,
    /// The same, kept for an hour; none where that is not offered or not known.
    pub cache_write_1h: Option<u64>,
    /// Output.
    pub output: u64,
    /// From which size of a prompt on its input costs more.
    pub long: Option<Long>,
}

/// What long prompts cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long {
    /// Tokens of a prompt that is not long yet.
    pub tokens_max: u64,
    /// How many times the price of input, cached or not, is paid beyond.
    pub times: u64,
}

impl Price {
    /// The row that holds for a prompt of as many tokens.
    pub fn of_prompt(self, tokens: u64) -> Price {
        let Some(long) = self.long.filter(|long| tokens > long.tokens_max) else { return self };
        Price {
            input: self.input * long.times,
            cache_read: self.cache_read * long.times,
            cache_write: self.cache_write * long.times,
            cache_write_1h: self.cache_write_1h.map(|write| write * long.times),
            ..self
        }
    }
}

/// The price of a model over an API; none where it is in no row, or where another than its maker
/// serves it.
pub fn price(api: &Api<'_>) -> Option<&'static Price> {
    let (rows, id) = match api.dialect {
        // What AWS serves has AWS's price.
        "anthropic_messages" if api.model.contains("anthropic.") => return None,
        "anthropic_messages" => (CLAUDE, claude::model(api.model).id),
        "openai_responses" => (OPENAI, undated(api.model)),
        "openai_chat" if api.model.starts_with("deepseek") => (DEEPSEEK, api.model),
        "openai_chat" => (OPENAI, undated(api.model)),
        "gemini" => (GEMINI, api.model.strip_prefix("models/").unwrap_or(api.model)),
        _ => return None,
    };
    rows.iter().find(|row| row.id == id)
}

/// Input, what is read, written, and written for an hour, output.
const fn claudes(id: &'static str, [input, read, write, hour, output]: [u64; 5]) -> Price {
    let cache_write_1h = Some(hour);
    Price { id, input, cache_read: read, cache_write: write, cache_write_1h, output, long: None }
}

/// Input, what is read, written, output.
const fn plain(id: &'static str, [input, read, write, output]: [u64; 4]) -> Price {
    Price {
        id,
        input,
        cache_read: read,
        cache_write: write,
        cache_write_1h: None,
        output,
        long: None,
    }
}

const fn long(price: Price, tokens_max: u64, times: u64) -> Price {
    Price { long: Some(Long { tokens_max, times }), ..price }
}

/// <https://platform.claude.com/docs/en/about-claude/pricing>, read 2026-09 to 2026-10.
pub static CLAUDE: &[Price] = &[
    claudes("claude-fable-5-2", [8_000_000, 200_000, 10_000_000, 16_000_000, 40_000_000]),
    claudes("claude-fable-5-1", [10_000_000, 250_000, 12_500_000, 20_000_000, 50_000_000]),
    claudes("claude-mythos-5-1", [10_000_000, 250_000, 12_500_000, 20_000_000, 50_000_000]),
    claudes("claude-fable-5", [10_000_000, 1_000_000, 12_500_000, 20_000_000, 50_000_000]),
    claudes("claude-mythos-5", [10_000_000, 1_000_000, 12_500_000, 20_000_000, 50_000_000]),
    claudes("claude-opus-5-5", [4_000_000, 200_000, 5_000_000, 8_000_000, 20_000_000]),
    claudes("claude-opus-5", [5_000_000, 500_000, 6_250_000, 10_000_000, 25_000_000]),
    claudes("claude-opus-4-8", [5_000_000, 500_000, 6_250_000, 10_000_000, 25_000_000]),
    claudes("claude-opus-4-7", [5_000_000, 500_000, 6_250_000, 10_000_000, 25_000_000]),
    claudes("claude-opus-4-6", [5_000_000, 500_000, 6_250_000, 10_000_000, 25_000_000]),
    claudes("claude-opus-4-5", [5_000_000, 500_000, 6_250_000, 10_000_000, 25_000_000]),
    claudes("claude-opus-4-1", [15_000_000, 1_500_000, 18_750_000, 30_000_000, 75_000_000]),
    claudes("claude-opus-4-0", [15_000_000, 1_500_000, 18_750_000, 30_000_000, 75_000_000]),
    claudes("claude-sonnet-5-5", [2_000_000, 100_000, 2_500_000, 4_000_000, 10_000_000]),
    claudes("claude-sonnet-5", [2_000_000, 200_000, 2_500_000, 4_000_000, 10_000_000]),
    claudes("claude-sonnet-4-6", [3_000_000, 300_000, 3_750_000, 6_000_000, 15_000_000]),
    long(
        claudes("claude-sonnet-4-5", [3_000_000, 300_000, 3_750_000, 6_000_000, 15_000_000]),
        200_000,
        2,
    ),
    long(
        claudes("claude-sonnet-4-0", [3_000_000, 300_000, 3_750_000, 6_000_000, 15_000_000]),
        200_000,
        2,
    ),
    claudes("claude-3-7-sonnet", [3_000_000, 300_000, 3_750_000, 6_000_000, 15_000_000]),
    claudes("claude-3-5-sonnet", [3_000_000, 300_000, 3_750_000, 6_000_000, 15_000_000]),
    long(claudes("claude-haiku-5-5", [100_000, 10_000, 125_000, 200_000, 500_000]), 100_000, 5),
    claudes("claude-haiku-4-5", [1_000_000, 100_000, 1_250_000, 2_000_000, 5_000_000]),
    claudes("claude-3-5-haiku", [800_000, 80_000, 1_000_000, 1_600_000, 4_000_000]),
    claudes("claude-3-opus", [15_000_000, 1_500_000, 18_750_000, 30_000_000, 75_000_000]),
    claudes("claude-3-haiku", [250_000, 30_000, 300_000, 500_000, 1_250_000]),
];

/// Tokens from which on OpenAI's newer models cost twice as much.
const OPENAI_LONG: u64 = 272_000;

/// <https://developers.openai.com/api/docs/pricing>, read 2026-07 to 2026-11. Before gpt-5.6 what
/// is written costs what input does (P-02).
pub static OPENAI: &[Price] = &[
    plain("gpt-4o", [2_500_000, 1_250_000, 2_500_000, 10_000_000]),
    plain("gpt-4o-mini", [150_000, 75_000, 150_000, 600_000]),
    plain("gpt-4.1", [2_000_000, 500_000, 2_000_000, 8_000_000]),
    plain("gpt-4.1-mini", [400_000, 100_000, 400_000, 1_600_000]),
    plain("gpt-4.1-nano", [100_000, 25_000, 100_000, 400_000]),
    plain("o1", [15_000_000, 7_500_000, 15_000_000, 60_000_000]),
    plain("o3", [2_000_000, 500_000, 2_000_000, 8_000_000]),
    plain("o3-mini", [1_100_000, 550_000, 1_100_000, 4_400_000]),
    plain("o4-mini", [1_100_000, 275_000, 1_100_000, 4_400_000]),
    plain("gpt-5", [1_250_000, 125_000, 1_250_000, 10_000_000]),
    plain("gpt-5-codex", [1_250_000, 125_000, 1_250_000, 10_000_000]),
    plain("gpt-5-mini", [250_000, 25_000, 250_000, 2_000_000]),
    plain("gpt-5-nano", [50_000, 5_000, 50_000, 400_000]),
    plain("gpt-5.1", [1_250_000, 125_000, 1_250_000, 10_000_000]),
    plain("gpt-5.1-codex", [1_250_000, 125_000, 1_250_000, 10_000_000]),
    plain("gpt-5.1-codex-max", [1_250_000, 125_000, 1_250_000, 10_000_000]),
    plain("gpt-5.1-codex-mini", [250_000, 25_000, 250_000, 2_000_000]),
    plain("gpt-5.2", [1_750_000, 175_000, 1_750_000, 14_000_000]),
    plain("gpt-5.2-codex", [1_750_000, 175_000, 1_750_000, 14_000_000]),
    plain("gpt-5.3-codex", [1_750_000, 175_000, 1_750_000, 14_000_000]),
    long(plain("gpt-5.4", [2_500_000, 250_000, 2_500_000, 15_000_000]), OPENAI_LONG, 2),
    plain("gpt-5.4-mini", [750_000, 75_000, 750_000, 4_500_000]),
    plain("gpt-5.4-nano", [200_000, 20_000, 200_000, 1_250_000]),
    long(plain("gpt-5.5", [5_000_000, 500_000, 5_000_000, 30_000_000]), OPENAI_LONG, 2),
    long(plain("gpt-5.6-terra", [2_000_000, 200_000, 2_500_000, 12_000_000]), OPENAI_LONG, 2),
    long(plain("gpt-5.6-luna", [200_000, 20_000, 250_000, 1_200_000]), OPENAI_LONG, 2),
    long(plain("gpt-6-astra", [10_000_000, 1_000_000, 12_500_000, 50_000_000]), OPENAI_LONG, 2),
    long(plain("gpt-6-sol", [2_000_000, 200_000, 2_500_000, 10_000_000]), OPENAI_LONG, 2),
    long(plain("gpt-6-luna", [100_000, 10_000, 125_000, 500_000]), OPENAI_LONG, 2),
];

/// <https://ai.google.dev/gemini-api/docs/pricing>, read 2026-07: text, what is cached by itself.
pub static GEMINI: &[Price] = &[
    long(plain("gemini-2.5-pro", [1_250_000, 125_000, 1_250_000, 10_000_000]), 200_000, 2),
    plain("gemini-2.5-flash", [300_000, 30_000, 300_000, 2_500_000]),
    plain("gemini-2.5-flash-lite", [100_000, 10_000, 100_000, 400_000]),
    plain("gemini-3-flash-preview", [500_000, 50_000, 500_000, 3_000_000]),
    long(plain("gemini-3-pro-preview", [2_000_000, 200_000, 2_000_000, 12_000_000]), 200_000, 2),
    long(plain("gemini-3.1-pro-preview", [2_000_000, 200_000, 2_000_000, 12_000_000]), 200_000, 2),
];

/// <https://api-docs.deepseek.com/quick_start/pricing>, as lists of prices gave it in 2026-07.
pub static DEEPSEEK: &[Price] = &[
    plain("deepseek-v4-pro", [435_000, 3_625, 435_000, 870_000]),
    plain("deepseek-v4-flash", [140_000, 2_800, 140_000, 280_000]),
];
