//! `steno replay`: a session's next request, as bytes.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use stenograph::replay::Refusal;

use crate::config::Config;
use crate::destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report;
use crate::ui::Ui;
use crate::view::{View, ViewArgs, ViewRequest};

/// Turn a session into the request body that goes on with it
///
/// Reads a session file of any format that is known and writes the request its next turn needs to
/// standard output: exactly the bytes, nothing else. What was changed on the way, and why, is
/// reported on standard error.
///
/// The request is one the provider takes, or there is none: then the reason is named and the exit
/// code is 1.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    view: ViewArgs,

    /// Write the body to a file, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// How to report: on standard error, or with -o, for JSON, on standard output
    #[arg(long, value_name = "FORM", value_enum, default_value = "human")]
    report: ReportForm,

    /// Report as JSON (the same as --report json)
    #[arg(long)]
    json: bool,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportForm {
    /// Lines for a person
    Human,
    /// One JSON document
    Json,
}

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    view: ViewRequest,
    output: Option<PathBuf>,
    report: ReportForm,
}

impl Args {
    /// With what is configured where a flag is not given.
    pub fn checked(self, config: &Config) -> Result<Request, Failure> {
        let report = if self.json { ReportForm::Json } else { self.report };
        let output = self.output.filter(|path| path != Path::new("-"));
        Ok(Request { view: self.view.checked(config)?, output, report })
    }
}

/// Writes the body and the report.
pub fn run(request: &Request, ui: &mut Ui) -> Result<Exit, Failure> {
    if let Some(output) = &request.output {
        destination::refuse_source(output, &request.view.source)?;
    }
    let view = View::streamed(&request.view, ui)?;
    let prepared = match &view.prepared {
        Ok(prepared) => prepared,
        Err(refusal) => {
            report(request, &view, ui)?;
            return Err(refused(&view, refusal));
        }
    };
    let slices = prepared.request.body().slices();
    match &request.output {
        Some(path) => destination::write(path, &slices)?,
        None => ui.data(&slices)?,
    }
    report(request, &view, ui)?;
    // The process ends here: to give a long record back block by block would only take time.
    std::mem::forget(view);
    Ok(Exit::Done)
}

fn report(request: &Request, view: &View, ui: &mut Ui) -> Result<(), Failure> {
    match (request.report, &request.output) {
        (ReportForm::Human, _) => ui.report(&report::page(view)),
        (ReportForm::Json, None) => ui.json_report(&report::document(view)),
        (ReportForm::Json, Some(_)) => return ui.json(&report::document(view)),
    }
    Ok(())
}

/// The failure of a session that gives no valid request.
pub fn refused(view: &View, refusal: &Refusal) -> Failure {
    let what = format!("no request can be made of `{}`: {}", view.name, refusal.as_str());
    Failure::told(Exit::No, what, refusal.to_string(), refusal.hint())
}
