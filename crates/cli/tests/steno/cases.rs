//! Runs as data: a folder holds the files, the arguments, and what the run has to give.
//!
//! `steno/cases/NAME/`: `args` (one a line), `stdout`, `stderr`, `code`; every other file is input.
//! Where `UPDATE_EXPECTED` is set, what a run gives is written there instead of compared.

use std::fs;
use std::path::Path;

use crate::context::{Context, Run};

const CASES: &str = "tests/steno/cases";
const EXPECTED: [&str; 3] = ["stdout", "stderr", "code"];

#[test]
fn every_case_gives_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASES);
    let mut cases: Vec<_> =
        fs::read_dir(folder).expect("cases").map(|case| case.expect("a case").path()).collect();
    cases.sort();
    assert!(cases.len() >= 12, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let run = run(case);
        let given = [run.out().to_owned(), run.err.clone(), format!("{}\n", run.code)];
        for (name, given) in EXPECTED.iter().zip(given) {
            let path = case.join(name);
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                fs::write(&path, &given).expect("written");
            } else if fs::read_to_string(&path).unwrap_or_default() != given {
                wrong.push(format!("{}:\n{given}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn run(case: &Path) -> Run {
    let context = Context::with_session();
    for file in fs::read_dir(case).expect("a case") {
        let path = file.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if !EXPECTED.contains(&name) && name != "args" {
            fs::copy(&path, context.folder.join(name)).expect("copied");
        }
    }
    let args = fs::read_to_string(case.join("args")).expect("args");
    let args: Vec<&str> = args.lines().collect();
    context.run(&args)
}
