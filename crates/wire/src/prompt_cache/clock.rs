//! Whether a place of a text stands in a date or a time of day.
//!
//! In go the literal of a text and an offset in it. Digits say so in the form of a date or a time,
//! words as the name of a month beside a day or a year. What else changes daily is not known here.

/// Months as they are spelled, in lower case; of each the first letters may stand alone.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Letters that a month has at least.
const MONTH_LETTERS_MIN: usize = 3;

/// What stands behind a day.
const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];

/// Words up to which a month's day or year stands away from it: `2nd of March`.
const REACH_WORDS: usize = 2;

/// Days of a month.
const DAYS: std::ops::RangeInclusive<u32> = 1..=31;

/// Months of a year.
const MONTH_NUMBERS: std::ops::RangeInclusive<u32> = 1..=12;

/// Years that are taken for such.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2199;

/// Whether a byte of a literal stands in what reads as a date or a time of day, or right behind it.
pub fn holds(literal: &str, at: usize) -> bool {
    let text = without_escapes(literal);
    in_digits(&text, at) || in_words(&text, at)
}

/// A literal of the same length with blanks for its escapes.
fn without_escapes(literal: &str) -> Vec<u8> {
    let mut text = Vec::with_capacity(literal.len());
    let mut bytes = literal.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            let escaped = bytes.next();
            text.extend(std::iter::repeat_n(b' ', 1 + usize::from(escaped.is_some())));
        } else {
            text.push(byte);
        }
    }
    text
}

/// The piece around a byte, of bytes of one kind.
fn around(text: &[u8], at: usize, is_of_it: fn(&u8) -> bool) -> &[u8] {
    let at = at.min(text.len());
    let (before, after) = text.split_at(at);
    let from = at - before.iter().rev().take_while(|byte| is_of_it(byte)).count();
    let to = at + after.iter().take_while(|byte| is_of_it(byte)).count();
    text.get(from..to).unwrap_or_default()
}

fn in_digits(text: &[u8], at: usize) -> bool {
    let run = around(text, at, |byte| byte.is_ascii_digit() || b"-:/.TZ+".contains(byte));
    let run = std::str::from_utf8(run).unwrap_or_default();
    run.split(['T', 'Z', '+']).any(|piece| {
        let piece = piece.trim_matches(['-', ':', '/', '.']);
        is_time(piece) || ['-', '/', '.'].into_iter().any(|sign| is_date(piece, sign))
    })
}

/// `9:05`, `17:00:30.5`.
fn is_time(piece: &str) -> bool {
    let mut parts = piece.split(':');
    let (hour, minute) = (parts.next().and_then(number), parts.next());
    let minute = minute.filter(|minute| minute.len() >= 2).and_then(|minute| minute.get(..2));
    let minute = minute.and_then(number);
    hour.is_some_and(|hour| hour < 24) && minute.is_some_and(|minute| minute < 60)
}

/// `2026-03-02`, `3/2/2026`, `02.03.2026`, `2026-03`.
fn is_date(piece: &str, sign: char) -> bool {
    let parts: Option<Vec<u32>> = piece.split(sign).map(number).collect();
    let is_day_and_month = |one, other| {
        let are_days = DAYS.contains(one) && DAYS.contains(other);
        are_days && (MONTH_NUMBERS.contains(one) || MONTH_NUMBERS.contains(other))
    };
    match parts.unwrap_or_default().as_slice() {
        [year, month] => sign == '-' && YEARS.contains(year) && MONTH_NUMBERS.contains(month),
        [year, month, day] if YEARS.contains(year) => is_day_and_month(month, day),
        // Of three numbers between points a version is made as well.
        [one, other, year] if YEARS.contains(year) || *year < 100 && sign == '/' => {
            is_day_and_month(one, other)
        }
        _ => false,
    }
}

fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Whether the word at a byte is a month beside a day or a year, or one of these beside a month.
fn in_words(text: &[u8], at: usize) -> bool {
    let at = at.min(text.len());
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let (before, after) = text.split_at(at);
    let start = at - before.iter().rev().take_while(|byte| is_of_word(byte)).count();
    let end = at + after.iter().take_while(|byte| is_of_word(byte)).count();
    let is_apart = |byte: &u8| !is_of_word(byte);
    let said = |word: &&[u8]| !word.is_empty();
    let ahead = text.get(..start).unwrap_or_default().rsplit(is_apart).filter(said);
    let behind = text.get(end..).unwrap_or_default().split(is_apart).filter(said);
    let mut near = ahead.take(REACH_WORDS).chain(behind.take(REACH_WORDS));
    let own = text.get(start..end).unwrap_or_default();
    if is_month(own) { near.any(is_day_or_year) } else { is_day_or_year(own) && near.any(is_month) }
}

/// A name with a capital: other words are spelled as some months are.
fn is_month(word: &[u8]) -> bool {
    let is_name = word.first().is_some_and(u8::is_ascii_uppercase);
    let name = word.to_ascii_lowercase();
    let is_of = |month: &str| month.as_bytes() == name || is_short(month, &name);
    is_name && MONTHS.into_iter().any(is_of)
}

/// `mar`, `sept`.
fn is_short(month: &str, name: &[u8]) -> bool {
    let letters = MONTH_LETTERS_MIN..=MONTH_LETTERS_MIN + 1;
    letters.contains(&name.len()) && month.as_bytes().starts_with(name)
}

fn is_day_or_year(word: &[u8]) -> bool {
    let word = std::str::from_utf8(word).unwrap_or_default();
    let day = ORDINALS.iter().find_map(|ordinal| word.strip_suffix(ordinal)).unwrap_or(word);
    number(day).is_some_and(|day| DAYS.contains(&day))
        || number(word).is_some_and(|year| YEARS.contains(&year))
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn a_date_is_told_from_other_numbers() {
        for (text, at) in [
            ("Today is March 2, 2026.", "2,"),
            ("Today is March 2, 2026.", "rch"),
            ("the 2nd of March", "2nd"),
            (r"now:\nMarch 2", "arch"),
            ("on Sept 30, 2026", "26"),
            ("2 Mar 2026", "2 "),
            ("at 2026-03-02T10:00:00Z", "2T"),
            ("at 2026-03-02T10:00:00+01:00", ":00+"),
            ("3/2/26", "/26"),
            ("02.03.2026", "02"),
            ("9:05", "05"),
            ("2026-03", "03"),
        ] {
            assert!(holds(text, text.find(at).expect(at)), "{text}, {at}");
        }
        for (text, at) in [
            ("/srv/1000/a", "1000"),
            ("1.2/1234", "1234"),
            ("version 1.2.30", "30"),
            ("/srv/2000/1", "2000"),
            ("you may 3 times", "3"),
            ("March on, number 40 of 99", "40"),
            ("10:75", "75"),
            ("no date at all", "date"),
            ("", ""),
        ] {
            assert!(!holds(text, text.find(at).expect(at)), "{text}, {at}");
        }
    }
}
