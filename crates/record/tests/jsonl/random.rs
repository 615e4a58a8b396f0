//! Numbers from a seed, and the hostile texts and JSON that records are generated from.

use json::{Doc, Raw, Text};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) as usize) % bound.max(1)
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        if self.one_in(2) { Some(make(self)) } else { None }
    }

    pub fn list<T>(&mut self, most: usize, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    pub fn number(&mut self) -> u64 {
        let shift = self.below(64);
        self.next() >> shift
    }

    pub fn text(&mut self) -> Text {
        if self.one_in(8) {
            let lone = ["\\ud800", "\\udc00x", "a\\ud83d", "\\udfff\\ud800"];
            let literal = format!("\"é\\n{}\"", self.pick(&lone));
            return Doc::parse_str(&literal).unwrap().root().to_text().unwrap();
        }
        let pieces = [
            "",
            "a",
            "\0",
            "\n",
            "\"",
            "\\",
            "\\u0041",
            "é",
            "🙂",
            "\u{2028}",
            "\u{feff}",
            "\t",
            "long enough to span more than one word of eight bytes",
            "</script>",
            "\u{1f}",
            "{\"v\":1}",
            "null",
        ];
        let mut text = String::new();
        for _ in 0..self.below(5) {
            text.push_str(self.pick(&pieces));
        }
        text.into()
    }

    pub fn raw(&mut self) -> Raw {
        let mut out = String::new();
        let depth = if self.one_in(20) { 100 } else { 3 };
        self.json(&mut out, depth);
        Raw::parse(&out).unwrap()
    }

    /// A value that is not `null`.
    pub fn raw_not_null(&mut self) -> Raw {
        loop {
            let raw = self.raw();
            if raw.as_str() != "null" {
                return raw;
            }
        }
    }

    pub fn json(&mut self, out: &mut String, depth: usize) {
        if depth > 3 {
            let (open, close) = self.pick(&[("[", "]"), ("{\"d\":", "}"), ("[ 0 , ", "\t]")]);
            out.push_str(open);
            self.json(out, depth - 1);
            return out.push_str(close);
        }
        match if depth == 0 { self.below(4) } else { self.below(7) } {
            0 => out.push_str(self.pick(&["null", "true", "false"])),
            1 => out.push_str(self.pick(&[
                "0",
                "-0",
                "1.0",
                "1e400",
                "-1E-9",
                "123456789012345678901234567890",
                "0.1000000000000000000000000001",
                "18446744073709551616",
                "42",
            ])),
            2 | 3 => out.push_str(&self.text().to_literal()),
            4 => {
                out.push('[');
                for index in 0..self.below(4) {
                    out.push_str(if index > 0 { ", " } else { "" });
                    self.json(out, depth - 1);
                }
                out.push(']');
            }
            _ => self.object(out, depth),
        }
    }

    fn object(&mut self, out: &mut String, depth: usize) {
        let names =
            ["type", "kind", "text", "proof", "id", "raw", "entry", "v", "row", "a", "", "output"];
        out.push('{');
        for index in 0..self.below(4) {
            out.push_str(if index > 0 { " ," } else { " " });
            out.push_str(&Text::new(self.pick(&names)).to_literal());
            out.push(':');
            self.json(out, depth - 1);
        }
        out.push('}');
    }
}
