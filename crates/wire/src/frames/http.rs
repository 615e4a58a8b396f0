//! A body with the lengths of HTTP's chunks left in, as some recorders write it down.

/// The body without them; `None` where it is not such a one, to its last byte.
pub fn without_chunk_lengths(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = bytes.windows(2).take(18).position(|pair| pair == b"\r\n")?;
        let digits = std::str::from_utf8(bytes.get(..line)?).ok()?;
        let len = usize::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        let (chunk, rest) = bytes.get(line + 2..)?.split_at_checked(len)?;
        body.extend_from_slice(chunk);
        bytes = rest.strip_prefix(b"\r\n")?;
        if len == 0 {
            return bytes.is_empty().then_some(body);
        }
    }
}
