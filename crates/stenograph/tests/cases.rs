//! Sessions that broke other harnesses, as folders: what was stored, and what goes out.
//!
//! Each folder of `tests/cases` is named as the bug. `input.*` is a session file, `model` the
//! target (one line), `request.json` the exact body, `report.txt` every finding and change. The
//! bodies are frozen: one that changes raises `replay::BUILD`. `UPDATE=1` writes them anew.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use stenograph::formats;
use stenograph::replay::{BUILD, Now, Reader, Replayer, Target};
use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};

/// The projection version the bodies were frozen under.
const FROZEN_BUILD: u32 = 1;

fn input(case: &Path) -> PathBuf {
    let files = std::fs::read_dir(case).expect("a case folder");
    files
        .map(|file| file.expect("a file").path())
        .find(|path| path.file_stem().is_some_and(|stem| stem == "input"))
        .unwrap_or_else(|| panic!("{} has an input", case.display()))
}

fn replay(case: &Path) -> (String, String) {
    let input = input(case);
    let name = input.file_name().expect("a name").to_string_lossy().into_owned();
    let bytes = std::fs::read(&input).expect("an input");
    let imported = formats::import(&bytes, &name).expect("an import");
    let model = std::fs::read_to_string(case.join("model")).expect("a model");
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(model.trim()));
    replayer.feed(&imported.record.branch_path("main"));
    let mut report = String::new();
    for finding in &imported.findings {
        writeln!(report, "{finding}").expect("a string");
    }
    match replayer.prepare(&Now::default()) {
        Ok(prepared) => {
            for change in prepared.request.report().changes() {
                let row = change.row.as_ref().map_or("", |row| row.as_str());
                let block = change.block.map(|block| format!("[{block}]")).unwrap_or_default();
                let detail = change.detail.as_deref().unwrap_or_default();
                let line = format!("{} {row}{block} {detail}", change.kind.as_str());
                writeln!(report, "{}", line.trim_end()).expect("a string");
            }
            let body = prepared.request.body().to_vec();
            let found = lint(&body, &LintOptions::default());
            assert!(found.is_empty(), "{}: {found:#?}", case.display());
            (String::from_utf8(body).expect("UTF-8") + "\n", report)
        }
        Err(refusal) => (String::new(), format!("{report}refused: {refusal}\n")),
    }
}

#[test]
fn every_case_goes_out_as_it_was_frozen() {
    assert_eq!(BUILD, FROZEN_BUILD, "output that changes raises the version, and the cases follow");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("cases")
        .map(|case| case.expect("a case").path())
        .collect();
    cases.sort();
    assert!(cases.len() >= 15, "{} cases", cases.len());
    let update = std::env::var_os("UPDATE").is_some();
    for case in cases {
        let (body, report) = replay(&case);
        for (file, is) in [("request.json", body), ("report.txt", report)] {
            let path = case.join(file);
            if update {
                std::fs::write(&path, &is).expect("written");
            }
            let expected = std::fs::read_to_string(&path).expect("an expected output");
            assert_eq!(is, expected, "{}", path.display());
        }
    }
}
