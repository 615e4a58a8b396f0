//! The page in a real browser: nothing of a session runs, everything of it is text.
//!
//! Needs Chromium; `tests/install` installs it.

use std::path::Path;
use std::process::Command;

use formats::html;

use crate::folder::Folder;
use crate::hostile::conversation;
use crate::html::tags;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Milliseconds of the page's own time that pass before it is looked at.
const PAGE_TIME: &str = "--virtual-time-budget=5000";

/// What the page became, and what the browser said about it.
fn opened(page: &Path, profile: &Path) -> (String, String) {
    let browser = NAMES.iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    let browser = browser.expect("Chromium is needed: tests/install installs it");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--enable-logging=stderr", PAGE_TIME, "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

fn title(dom: &str) -> &str {
    let start = dom.find("<title>").expect("a title") + "<title>".len();
    let end = dom[start..].find("</title>").expect("its end");
    &dom[start..start + end]
}

#[test]
fn no_script_of_a_session_runs_in_a_browser() {
    let folder = Folder::new();
    let profile = folder.path().join("profile");
    // The browser does run what is a script.
    let script = "<!doctype html><title>as it was</title><script>document.title='ran'</script>";
    let control = folder.write("control.html", script);
    assert_eq!(title(&opened(&control, &profile).0), "ran");

    let written = html::write(&conversation());
    let page = folder.write("page.html", &written);
    let (dom, said) = opened(&page, &profile);
    assert!(title(&dom).starts_with("&lt;script&gt;document.title"), "{}", title(&dom));
    assert!(!said.contains("Content Security Policy"), "{said}");
    // The browser sees the elements that were written, and no others.
    let elements = |page: &str| -> Vec<String> {
        let names = tags(page).into_iter().map(|tag| tag.split([' ', '>']).next());
        names.map(|name| name.unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(elements(&dom), elements(&written));
}
