//! What a difference costs: tokens that the cache holds no longer, and at which price they are
//! sent again.
//!
//! Tokens are estimated from characters, in the proportion that the provider counted where that is
//! known. Data of images and documents, signatures and sealed thoughts are no characters: a
//! provider counts them otherwise, and they are left out.

use json::{Kind, Value};

use super::prices::price;
use super::rules::{Api, Caching, LOOK_BACK_BLOCKS, caching};
use super::units::{Part, Ttl, Unit, is_mark};

/// Characters that are taken for a token where nothing was counted.
pub const CHARACTERS_PER_TOKEN: u64 = 4;

/// Members whose text is not counted by its characters.
const UNCOUNTED: [&str; 9] = [
    "data",
    "bytes",
    "file_data",
    "signature",
    "encrypted_content",
    "thoughtSignature",
    "thought_signature",
    "redactedContent",
    "image_url",
];

/// What the `url` of media begins with that holds its data.
const DATA_URL: &str = "data:";

/// The type of an item whose `result` is an image.
const IMAGE_MADE: &str = "image_generation_call";

/// Tokens per price.
const MILLION: u64 = 1_000_000;

/// How a number of tokens came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// [`CHARACTERS_PER_TOKEN`].
    Estimate,
    /// The whole was counted by the provider, its parts are in proportion to their characters.
    Usage,
}

impl Basis {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Estimate => "estimate",
            Basis::Usage => "usage",
        }
    }
}

/// What a difference costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// How tokens were counted.
    pub basis: Basis,
    /// Tokens of the first request.
    pub tokens_before: u64,
    /// Those before the first difference.
    pub tokens_kept: u64,
    /// Those that a cache held after the first request.
    pub tokens_cached: u64,
    /// Those of the cache that the second request does not find again.
    pub tokens_lost: u64,
    /// Those that are paid again: as many as were lost, or as the second request has behind what
    /// it finds.
    pub tokens_again: u64,
    /// Tokens below which nothing is kept.
    pub tokens_min: u64,
    /// Whether nothing is kept for want of a cache breakpoint in the first request.
    pub is_unmarked: bool,
    /// Whether nothing differs that stands before a breakpoint, but it is further ahead than the
    /// look-back reaches.
    pub is_out_of_reach: bool,
    /// What paying again costs; none where the price of the model is in no row.
    pub money: Option<Money>,
}

/// What it costs to pay for tokens again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    /// More than reading them from the cache, in millionths of a US dollar.
    pub micro_dollars: u64,
    /// A million tokens sent again, in millionths of a US dollar.
    pub again: u64,
    /// A million tokens read from the cache, in millionths of a US dollar.
    pub read: u64,
}

/// The cost where `kept` units of the first request stand in the second as well.
pub fn of(before: &[Unit<'_, '_>], after: &[Unit<'_, '_>], kept: usize, api: &Api<'_>) -> Cost {
    let size = |units: &[Unit<'_, '_>]| -> u64 {
        units
            .iter()
            .filter(|unit| !is_image(unit))
            .filter_map(|unit| unit.value)
            .map(characters)
            .sum()
    };
    let all = size(before);
    let counted = |characters: u64| match api.tokens {
        Some(counted) if all > 0 => proportion(characters, counted, all),
        Some(_) | None => characters / CHARACTERS_PER_TOKEN,
    };
    let tokens = |units: usize| counted(size(before.get(..units).unwrap_or(before)));
    let is_marked = before.iter().chain(after).any(|unit| unit.mark.is_some());
    let how = caching(api, is_marked);
    let (cached, read) = match how {
        Caching::Marked { .. } => {
            let marked = before.iter().rposition(|unit| unit.mark.is_some());
            let cached = marked.map_or(0, |at| at + 1);
            (tokens(cached), tokens(found(before, after, kept)))
        }
        Caching::Automatic { .. } => (tokens(before.len()), tokens(kept)),
    };
    let (tokens_min, step) = match how {
        Caching::Marked { tokens_min } => (tokens_min, 1),
        Caching::Automatic { tokens_min, step } => (tokens_min, step),
    };
    let whole = |tokens: u64| if tokens < tokens_min { 0 } else { tokens - tokens % step };
    let (cached, read) = (whole(cached), whole(read));
    let tokens_lost = cached.saturating_sub(read);
    let is_all_kept = kept == before.len();
    let tokens_again = tokens_lost.min(counted(size(after)).saturating_sub(read));
    Cost {
        basis: if api.tokens.is_some() { Basis::Usage } else { Basis::Estimate },
        tokens_before: tokens(before.len()),
        tokens_kept: tokens(kept),
        tokens_cached: cached,
        tokens_lost,
        tokens_again,
        tokens_min,
        is_unmarked: matches!(how, Caching::Marked { .. })
            && before.iter().all(|unit| unit.mark.is_none()),
        is_out_of_reach: is_all_kept && tokens_lost > 0,
        money: money(after, how, tokens(before.len()), tokens_again, api),
    }
}

/// How many units of the first request are read from the cache: up to its last breakpoint before
/// the difference from which one of the second looks back.
fn found(before: &[Unit<'_, '_>], after: &[Unit<'_, '_>], kept: usize) -> usize {
    let written = before.iter().take(kept).enumerate().filter(|(_, unit)| unit.mark.is_some());
    let is_in_reach = |at: usize| {
        let mut blocks = 0;
        for unit in after.iter().skip(at) {
            blocks += usize::from(unit.is_block());
            if blocks > LOOK_BACK_BLOCKS {
                return false;
            }
            if unit.mark.is_some() {
                return true;
            }
        }
        false
    };
    written.map(|(at, _)| at).rfind(|at| is_in_reach(*at)).map_or(0, |at| at + 1)
}

fn money(
    after: &[Unit<'_, '_>],
    how: Caching,
    tokens_before: u64,
    tokens_again: u64,
    api: &Api<'_>,
) -> Option<Money> {
    let price = price(api)?.of_prompt(tokens_before);
    let longest = after.iter().filter_map(|unit| unit.mark).any(|mark| mark == Ttl::Long);
    let is_written = after.iter().any(|unit| unit.mark.is_some());
    let again = match how {
        Caching::Marked { .. } if !is_written => price.input,
        Caching::Marked { .. } if longest => price.cache_write_1h.unwrap_or(price.cache_write),
        Caching::Marked { .. } | Caching::Automatic { .. } => price.cache_write,
    };
    let micro_dollars = proportion(tokens_again, again.saturating_sub(price.cache_read), MILLION);
    Some(Money { micro_dollars, again, read: price.cache_read })
}

/// `amount * of / all`, rounded.
fn proportion(amount: u64, of: u64, all: u64) -> u64 {
    let exact =
        (u128::from(amount) * u128::from(of) + u128::from(all) / 2) / u128::from(all.max(1));
    u64::try_from(exact).unwrap_or(u64::MAX)
}

/// Whether a unit is the data of an image: a text in a list beside the content.
fn is_image(unit: &Unit<'_, '_>) -> bool {
    unit.part == Part::Item && unit.value.is_some_and(|value| value.kind() == Kind::String)
}

/// The characters of a unit that a provider counts.
fn characters(value: Value<'_, '_>) -> u64 {
    match value.kind() {
        Kind::Object if value.get("type").is_some_and(|kind| kind.is_str(IMAGE_MADE)) => 0,
        Kind::Object => value.members().filter(is_counted).map(of_member).sum(),
        Kind::Array => value.items().map(characters).sum(),
        Kind::String => value.as_str().map_or(0, |text| text.chars().count() as u64),
        Kind::Number | Kind::Bool | Kind::Null => value.raw().len() as u64,
    }
}

fn of_member((name, value): (Value<'_, '_>, Value<'_, '_>)) -> u64 {
    name.as_str().map_or(0, |name| name.chars().count() as u64) + characters(value)
}

fn is_counted((name, value): &(Value<'_, '_>, Value<'_, '_>)) -> bool {
    let is_sealed = UNCOUNTED.iter().any(|member| name.is_str(member));
    let is_data = name.is_str("url") && value.as_str().is_some_and(|url| url.starts_with(DATA_URL));
    !(is_mark(*name) || is_data || is_sealed && value.kind() == Kind::String)
}
