//! Times as harnesses write them: a text, or what was counted since 1970.

use json::{Kind, Text, Value};

/// Beyond this it is milliseconds that were counted, not seconds.
const SECONDS_MAX: f64 = 1e11;

/// A time as text; `None` for what is none.
pub(crate) fn text_of(value: Value<'_, '_>) -> Option<Text> {
    match value.kind() {
        Kind::String => value.to_text().filter(|text| !text.is_empty()),
        Kind::Number => value.as_f64().and_then(from_count),
        Kind::Null | Kind::Bool | Kind::Array | Kind::Object => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "its range was looked at")]
fn from_count(count: f64) -> Option<Text> {
    let ms = if count > SECONDS_MAX { count } else { count * 1000.0 };
    // Up to the year 9999.
    (0.0..253_402_300_800_000.0).contains(&ms).then(|| rfc3339(ms.round() as i64))
}

fn rfc3339(ms: i64) -> Text {
    let (days, ms) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    // Days since the first of March of the year 0; eras are of 400 years.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    let (hour, minute) = (ms / 3_600_000, ms / 60_000 % 60);
    let (second, ms) = (ms / 1_000 % 60, ms % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z").into()
}

/// The milliseconds since 1970 of a time in UTC; 0 where it is not known.
pub(crate) fn milliseconds(time: Option<&str>) -> i64 {
    time.and_then(parsed).unwrap_or(0)
}

fn parsed(time: &str) -> Option<i64> {
    let number = |from: usize, to: usize| time.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let fraction = time.get(19..)?.strip_prefix('.').unwrap_or_default();
    let digits: String = fraction.chars().take_while(char::is_ascii_digit).take(3).collect();
    let ms = format!("{digits:0<3}").parse::<i64>().ok()?;
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let days =
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 + day
            - 1
            - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + ms)
}

#[cfg(test)]
mod tests {
    use json::Doc;

    use super::{milliseconds, text_of};

    fn told(value: &str) -> Option<String> {
        let doc = Doc::parse_str(value).ok()?;
        text_of(doc.root()).map(|text| text.as_str().to_owned())
    }

    #[test]
    fn counted_seconds_and_milliseconds_are_times_and_come_back() {
        for (value, time) in [
            ("0", "1970-01-01T00:00:00.000Z"),
            ("951782400", "2000-02-29T00:00:00.000Z"),
            ("1733043686.842", "2024-12-01T09:01:26.842Z"),
            ("1767812640310", "2026-01-07T19:04:00.310Z"),
            ("4107542399000", "2100-02-28T23:59:59.000Z"),
        ] {
            assert_eq!(told(value).as_deref(), Some(time));
            let ms = value.parse::<f64>().unwrap_or_default();
            let ms = if ms > 1e11 { ms } else { ms * 1000.0 };
            assert_eq!(milliseconds(Some(time)) as f64, ms.round());
        }
        assert_eq!(told("\"2026\"").as_deref(), Some("2026"));
        assert_eq!(told("-1"), None);
        assert_eq!(told("1e300"), None);
        assert_eq!((milliseconds(Some("soon")), milliseconds(None)), (0, 0));
    }
}
