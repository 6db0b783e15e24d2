//! Line charts as self-contained SVG files.
//!
//! Series differ in colour, dashes and markers, so that a chart is legible in black and white. The background is
//! white, so that it is legible in dark mode.

mod axis;

use std::fmt::Write as _;

pub use axis::{Axis, AxisScale};

/// A chart of several series over one pair of axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title above the axes.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series in the order of the legend.
    pub series: Vec<Series>,
    /// Notes below the axes, one per line.
    pub notes: Vec<String>,
}

/// Points connected by a line.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points; those that an axis cannot show are left out.
    pub points: Vec<Point>,
    /// Whether the series is a measurement.
    pub kind: SeriesKind,
}

/// The kind of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// A measurement: a line with markers.
    Measured,
    /// A reference: a dotted line without markers, clipped to the range of the measured points.
    Reference,
}

/// A point of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// Whether y is a lower bound of the true value, shown by a hollow marker with an arrow.
    pub at_least: bool,
}

impl Series {
    /// A measured series.
    pub fn measured(name: impl Into<String>, points: Vec<Point>) -> Self {
        Series { name: name.into(), points, kind: SeriesKind::Measured }
    }

    /// A reference line proportional to a power of x, from a point to `x_end`.
    pub fn power_law(name: impl Into<String>, start: Point, power: f64, x_end: f64) -> Self {
        let end = Point { x: x_end, y: start.y * (x_end / start.x).powf(power), at_least: false };
        Series { name: name.into(), points: vec![start, end], kind: SeriesKind::Reference }
    }
}

impl Point {
    /// A point whose value is exact.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y, at_least: false }
    }
}

const WIDTH: f64 = 880.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 372.0;
const NOTES: f64 = 442.0;
const NOTE_LINE: f64 = 17.0;

/// Colours that colour-blind readers can distinguish (Okabe and Ito 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#a6548a", "#000000", "#8a6d00", "#3a9bdc"];
const DASHES: [&str; 7] = ["none", "9 4", "4 3", "12 4 3 4", "2 3", "9 3 2 3 2 3", "16 5"];
const GREY: &str = "#555555";

impl Chart {
    /// The chart as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut out = String::new();
        self.draw(&mut out).map_or_else(|_| String::new(), |()| out)
    }

    fn draw(&self, out: &mut String) -> std::fmt::Result {
        let height = NOTES + NOTE_LINE * self.notes.len() as f64;
        let title = escape(&self.title);
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="black">"#
        )?;
        writeln!(out, "<title>{title}</title>")?;
        writeln!(out, r#"<rect width="{WIDTH}" height="{height}" fill="white"/>"#)?;
        writeln!(
            out,
            r#"<clipPath id="plot"><rect x="{LEFT}" y="{TOP}" width="{}" height="{}"/></clipPath>"#,
            RIGHT - LEFT,
            BOTTOM - TOP
        )?;
        writeln!(out, r#"<text x="{LEFT}" y="30" font-size="17" font-weight="bold">{title}</text>"#)?;
        let frame = Frame::new(self);
        self.draw_axes(&frame, out)?;
        for (number, series) in self.series.iter().enumerate() {
            draw_series(series, &SeriesStyle::new(number, series.kind), &frame, out)?;
        }
        if frame.is_empty {
            let (x, y) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
            writeln!(
                out,
                r#"<text x="{x}" y="{y}" text-anchor="middle" fill="{GREY}">nothing was measured</text>"#
            )?;
        }
        self.draw_legend(out)?;
        for (number, note) in self.notes.iter().enumerate() {
            let y = NOTES + NOTE_LINE * number as f64 - 8.0;
            writeln!(
                out,
                r#"<text x="{LEFT}" y="{y}" font-size="12" fill="{GREY}">{}</text>"#,
                escape(note)
            )?;
        }
        writeln!(out, "</svg>")
    }

    fn draw_axes(&self, frame: &Frame, out: &mut String) -> std::fmt::Result {
        for tick in self.x.ticks(frame.x) {
            let (x, label) = (frame.x_position(tick), axis::tick_label(tick));
            writeln!(out, r##"<path d="M{x:.1} {TOP}V{BOTTOM}" stroke="#dddddd"/>"##)?;
            writeln!(out, r#"<text x="{x:.1}" y="{}" text-anchor="middle">{label}</text>"#, BOTTOM + 19.0)?;
        }
        for tick in self.y.ticks(frame.y) {
            let (y, label) = (frame.y_position(tick), axis::tick_label(tick));
            writeln!(out, r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#dddddd"/>"##)?;
            writeln!(out, r#"<text x="{}" y="{:.1}" text-anchor="end">{label}</text>"#, LEFT - 8.0, y + 4.5)?;
        }
        writeln!(out, r#"<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="black"/>"#)?;
        let (x, y) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        let label = escape(&self.x.label);
        writeln!(out, r#"<text x="{x}" y="{}" text-anchor="middle">{label}</text>"#, BOTTOM + 41.0)?;
        let label = escape(&self.y.label);
        writeln!(
            out,
            r#"<text transform="translate(22 {y}) rotate(-90)" text-anchor="middle">{label}</text>"#
        )
    }

    fn draw_legend(&self, out: &mut String) -> std::fmt::Result {
        for (number, series) in self.series.iter().enumerate() {
            let style = SeriesStyle::new(number, series.kind);
            let (x, y) = (RIGHT + 20.0, TOP + 12.0 + 24.0 * number as f64);
            writeln!(out, r#"<path d="M{x} {y}h40" {style}/>"#)?;
            if let Some(marker) = style.marker {
                writeln!(out, "{}", marker.svg(x + 20.0, y, style.colour, false))?;
            }
            writeln!(out, r#"<text x="{}" y="{}">{}</text>"#, x + 50.0, y + 4.5, escape(&series.name))?;
        }
        Ok(())
    }
}

/// The visible range of both axes.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    x_scale: AxisScale,
    y_scale: AxisScale,
    is_empty: bool,
}

impl Frame {
    fn new(chart: &Chart) -> Self {
        let shown = |kind: SeriesKind| -> Vec<Point> {
            let series = chart.series.iter().filter(|series| series.kind == kind);
            let points = series.flat_map(|series| series.points.iter().copied());
            points.filter(|point| chart.x.can_show(point.x) && chart.y.can_show(point.y)).collect()
        };
        let mut points = shown(SeriesKind::Measured);
        if points.is_empty() {
            points = shown(SeriesKind::Reference);
        }
        let xs: Vec<f64> = points.iter().map(|point| point.x).collect();
        let ys: Vec<f64> = points.iter().map(|point| point.y).collect();
        Frame {
            x: chart.x.range(&xs),
            y: chart.y.range(&ys),
            x_scale: chart.x.scale,
            y_scale: chart.y.scale,
            is_empty: points.is_empty(),
        }
    }

    fn x_position(&self, x: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * self.x_scale.relative_position(x, self.x)
    }

    fn y_position(&self, y: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * self.y_scale.relative_position(y, self.y)
    }
}

/// The appearance of a series.
struct SeriesStyle {
    colour: &'static str,
    dashes: &'static str,
    marker: Option<Marker>,
}

impl SeriesStyle {
    fn new(number: usize, kind: SeriesKind) -> Self {
        match kind {
            SeriesKind::Measured => SeriesStyle {
                colour: COLOURS[number % COLOURS.len()],
                dashes: DASHES[number % DASHES.len()],
                marker: Some(Marker::ALL[number % Marker::ALL.len()]),
            },
            SeriesKind::Reference => SeriesStyle { colour: GREY, dashes: "1 4", marker: None },
        }
    }
}

impl std::fmt::Display for SeriesStyle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SeriesStyle { colour, dashes, .. } = self;
        write!(f, r#"fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}""#)
    }
}

#[derive(Clone, Copy)]
enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Down,
    Left,
    Bar,
}

impl Marker {
    const ALL: [Marker; 7] = [
        Marker::Circle,
        Marker::Square,
        Marker::Triangle,
        Marker::Diamond,
        Marker::Down,
        Marker::Left,
        Marker::Bar,
    ];

    fn svg(self, x: f64, y: f64, colour: &str, is_hollow: bool) -> String {
        let fill = if is_hollow { "white" } else { colour };
        let path = match self {
            Marker::Circle => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
            Marker::Square => "m-4 -4h8v8h-8z",
            Marker::Triangle => "m0 -5.5l5 9h-10z",
            Marker::Diamond => "m0 -6l5 6l-5 6l-5 -6z",
            Marker::Down => "m0 5.5l5 -9h-10z",
            Marker::Left => "m-5.5 0l9 5v-10z",
            Marker::Bar => "m-2 -6h4v12h-4z",
        };
        format!(r#"<path d="M{x:.1} {y:.1}{path}" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#)
    }
}

fn draw_series(series: &Series, style: &SeriesStyle, frame: &Frame, out: &mut String) -> std::fmt::Result {
    let shown = |point: &&Point| frame.x_scale.can_show(point.x) && frame.y_scale.can_show(point.y);
    let points: Vec<(f64, f64, bool)> = series
        .points
        .iter()
        .filter(shown)
        .map(|point| (frame.x_position(point.x), frame.y_position(point.y), point.at_least))
        .collect();
    if points.is_empty() {
        return Ok(());
    }
    let line: Vec<String> = points.iter().map(|(x, y, _)| format!("{x:.1} {y:.1}")).collect();
    writeln!(out, r#"<path d="M{}" {style} clip-path="url(#plot)"/>"#, line.join("L"))?;
    for (x, y, at_least) in points {
        let Some(marker) = style.marker else { continue };
        if at_least {
            let (arrow, colour) = ("v-16m-4 5l4 -5l4 5", style.colour);
            writeln!(
                out,
                r#"<path d="M{x:.1} {y:.1}{arrow}" fill="none" stroke="{colour}" stroke-width="1.5"/>"#
            )?;
        }
        writeln!(out, "{}", marker.svg(x, y, style.colour, at_least))?;
    }
    Ok(())
}

/// Text with the special characters of XML escaped.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML does not allow control characters.
            _ if letter.is_control() => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(series: Vec<Series>) -> Chart {
        Chart {
            title: "a < b & \"c\"\n".into(),
            x: Axis::log("rows"),
            y: Axis::log("seconds"),
            series,
            notes: vec!["one > two".into()],
        }
    }

    #[test]
    fn text_is_escaped() {
        let svg = chart(vec![Series::measured("<x>", vec![Point::new(1.0, 1.0)])]).to_svg();
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot; "), "{svg}");
        assert!(svg.contains("&lt;x&gt;") && svg.contains("one &gt; two"), "{svg}");
        assert!(!svg.contains("<x>"));
    }

    #[test]
    fn an_empty_chart_says_so() {
        for series in [
            vec![],
            vec![Series::measured("none", vec![])],
            vec![Series::measured(
                "not on a log axis",
                vec![Point::new(0.0, -1.0), Point::new(f64::NAN, 1.0)],
            )],
        ] {
            let svg = chart(series).to_svg();
            assert!(
                svg.contains("nothing was measured") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
    }

    #[test]
    fn a_single_point_has_room_around_it() {
        let frame = Frame::new(&chart(vec![Series::measured("one", vec![Point::new(1000.0, 3.0)])]));
        assert!(!frame.is_empty && frame.x.0 < frame.x.1 && frame.y.0 <= 3.0 && 3.0 <= frame.y.1);
        assert!(frame.x_position(1000.0).is_finite());
    }

    #[test]
    fn reference_lines_do_not_widen_the_axes() {
        let measured = Series::measured("m", vec![Point::new(1.0, 1.0), Point::new(10.0, 10.0)]);
        let steep = Series::power_law("steep", Point::new(1.0, 1.0), 6.0, 10.0);
        assert_eq!(steep.points[1].y, 1e6);
        assert_eq!(Frame::new(&chart(vec![measured, steep])).y, (1.0, 10.0));
    }

    #[test]
    fn lower_bounds_are_hollow_with_an_arrow() {
        let bound = Point { at_least: true, ..Point::new(2.0, 2.0) };
        let svg = chart(vec![Series::measured("stopped", vec![Point::new(1.0, 1.0), bound])]).to_svg();
        // The legend and the exact point are filled; the lower bound is not.
        assert_eq!(svg.matches(r##"fill="#0072b2""##).count(), 2);
        assert_eq!(svg.matches("v-16").count(), 1);
    }
}
