//! Writes request bodies of hostile histories for the providers' SDKs to judge.
//!
//! `bodies FOLDER [COUNT]`: one file a request. Its name says what it was made of; it ends with
//! `.beta.json` where the request needs a beta header, with `.VENDOR.chat.json` where it is one of
//! Chat Completions, with `.gemini.json`, `.responses.json` or `.converse.json` where it is one of
//! those.

use std::error::Error;
use std::fs;
use std::path::Path;

const COUNT_DEFAULT: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: bodies FOLDER [COUNT]")?;
    let count = arguments.next().map_or(Ok(COUNT_DEFAULT), |count| count.parse())?;
    fs::create_dir_all(&folder)?;
    let mut written = 0;
    for seed in 1.. {
        for request in testkit::play(&testkit::generate(seed)).requests {
            let Ok(prepared) = &request.outcome else { continue };
            let row = testkit::TARGETS.get(request.target).ok_or("no such target")?;
            let beta = if prepared.request.betas().is_empty() { "" } else { ".beta" };
            let kind = match row.api {
                testkit::Api::Chat => format!(".{}.chat", row.vendor),
                testkit::Api::Responses => format!(".{}.responses", row.vendor),
                testkit::Api::Gemini => ".gemini".to_owned(),
                testkit::Api::Converse => ".converse".to_owned(),
                testkit::Api::Claude => beta.to_owned(),
            };
            let model = row.model.replace(['/', ':'], "-");
            let name = format!("history-{seed}-{}.{model}{kind}.json", request.number);
            fs::write(Path::new(&folder).join(name), prepared.request.body().to_vec())?;
            written += 1;
            if written == count {
                return Ok(());
            }
        }
    }
    Ok(())
}
