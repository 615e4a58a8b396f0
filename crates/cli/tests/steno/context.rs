//! A folder of its own for each test, and runs of `steno` in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The built program.
pub const STENO: &str = env!("CARGO_BIN_EXE_steno");

/// Where the project begins.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project")
}

/// The session of the documentation: an unanswered parallel call, an empty text, a queued prompt.
pub fn interrupted() -> String {
    let path = project().join("examples/interrupted-session.jsonl");
    fs::read_to_string(path).expect("the example")
}

/// A body the provider takes, and one it refuses.
pub const GOOD_BODY: &str = concat!(
    r#"{"model":"claude-sonnet-4-5","max_tokens":99,"#,
    r#""messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#
);
pub const BAD_BODY: &str = concat!(
    r#"{"model":"claude-sonnet-4-5","max_tokens":99,"#,
    r#""messages":[{"role":"user","content":[{"type":"text","text":""}]}]}"#
);

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: Vec<u8>,
    pub err: String,
}

impl Run {
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.out).expect("UTF-8 on standard output")
    }

    /// The command line was refused with a usage error.
    pub fn assert_usage(&self) {
        assert_eq!((self.code, self.out()), (2, ""), "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
    }

    /// The run failed in the documented way: the code, an error in three parts, no data.
    pub fn assert_refused(&self, code: i32) {
        assert_eq!(self.code, code, "{}", self.err);
        assert!(self.out.is_empty(), "{:?}", self.out());
        let starts: Vec<&str> =
            self.err.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(starts.ends_with(&["error:", "cause:", "hint:"]), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

/// A folder, gone when the test ends.
pub struct Context {
    pub folder: PathBuf,
}

impl Context {
    pub fn new() -> Context {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("steno-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        Context { folder }
    }

    /// A context that holds the example session as `session.jsonl`.
    pub fn with_session() -> Context {
        let context = Context::new();
        context.write("session.jsonl", interrupted());
        context
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), content).expect("a file");
    }

    /// Writes a file and the folders it lies in.
    pub fn write_below(&self, name: &str, content: impl AsRef<[u8]>) {
        let folder = Path::new(name).parent().expect("a folder");
        fs::create_dir_all(self.folder.join(folder)).expect("folders");
        self.write(name, content);
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).expect("a file")
    }

    /// The names in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// A run of `steno` in the folder, with nothing of the environment that changes what it does.
    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        self.program(STENO, arguments)
    }

    /// As [`Context::command`], of another program.
    pub fn program(&self, program: &str, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder);
        for name in [
            "NO_COLOR",
            "CLICOLOR_FORCE",
            "TERM",
            "COLUMNS",
            "PAGER",
            "LESS",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "PI_CODING_AGENT_DIR",
            "COPILOT_HOME",
            "XDG_DATA_HOME",
        ] {
            command.env_remove(name);
        }
        for name in std::env::vars_os().map(|(name, _)| name) {
            if name.to_string_lossy().starts_with("STENO_") {
                command.env_remove(name);
            }
        }
        command.env("HOME", &self.folder).env_remove("XDG_CONFIG_HOME");
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        finished(&mut self.command(arguments))
    }

    /// A run that reads these bytes from standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("steno starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            // A run that refuses early closes the pipe.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("steno ends");
        writer.join().expect("the writer ends");
        run_of(output)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub fn finished(command: &mut Command) -> Run {
    run_of(command.output().expect("steno starts"))
}

fn run_of(output: std::process::Output) -> Run {
    Run {
        code: output.status.code().unwrap_or(-1),
        out: output.stdout,
        err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
    }
}
