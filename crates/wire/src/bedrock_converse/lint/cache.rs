//! Cache points: how many, behind what, in which order, and whether the model takes them.

use json::Value;

use super::Body;
use super::conversation::Kind;
use crate::report::Report;
use crate::takes::Takes;

/// Cache points of a request.
const CACHE_POINTS_MAX: usize = 4;

const UNSUPPORTED: &str = "You invoked an unsupported model or your request did not allow prompt \
    caching. See the documentation for more information.";

struct Point {
    path: String,
    offset: usize,
    is_long: bool,
}

/// B-022.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let points = points(body);
    if let Some(point) = points.first() {
        let takes = body.model.cache_points;
        let (path, words) = (point.path.clone(), UNSUPPORTED.to_owned());
        report.say_unless(takes, "B-022", path, point.offset, words);
    }
    if let Some(extra) = points.get(CACHE_POINTS_MAX) {
        let words = format!(
            "A maximum of {CACHE_POINTS_MAX} blocks with cache_control may be provided. Found {}.",
            points.len()
        );
        report.say("B-022", extra.path.clone(), extra.offset, words);
    }
    let first_short = points.iter().position(|point| !point.is_long).unwrap_or(points.len());
    for point in points.iter().skip(first_short).filter(|point| point.is_long) {
        let words = format!(
            "{}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control \
             block. Note that blocks are processed in the following order: `tools`, `system`, \
             `messages`.",
            point.path
        );
        report.say("B-022", point.path.clone(), point.offset, words);
    }
    behind(body, report);
}

/// B-022 for what a point stands behind.
fn behind(body: &Body<'_, '_>, report: &mut Report) {
    for message in &body.messages {
        for pair in message.blocks.windows(2) {
            let [before, point] = pair else { continue };
            if point.kind != Kind::CachePoint {
                continue;
            }
            let (path, offset) = (point.path(), point.value.offset());
            if before.kind == Kind::Reasoning {
                report.add("B-022", path, offset, &[]);
            } else if matches!(before.kind, Kind::Document | Kind::Video) {
                let words = format!("Cache point cannot be inserted after {} block", before.name);
                report.say_unless(Takes::No, "B-022", path, offset, words);
            }
        }
    }
}

/// Every point, in the order in which they count.
fn points(body: &Body<'_, '_>) -> Vec<Point> {
    let mut points = Vec::new();
    let tools = body.param("toolConfig").and_then(|config| config.get("tools"));
    for (name, list) in [("toolConfig.tools", tools), ("system", body.param("system"))] {
        for (index, block) in list.into_iter().flat_map(Value::items).enumerate() {
            if let Some(point) = block.get("cachePoint") {
                points.push(read(format!("{name}.{index}"), point));
            }
        }
    }
    for block in body.messages.iter().flat_map(|message| &message.blocks) {
        if block.kind == Kind::CachePoint {
            points.push(read(block.path(), block.inner));
        }
    }
    points
}

fn read(path: String, point: Value<'_, '_>) -> Point {
    let is_long = point.get("ttl").is_some_and(|ttl| ttl.is_str("1h"));
    Point { path, offset: point.offset(), is_long }
}
