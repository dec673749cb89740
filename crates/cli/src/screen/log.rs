//! The explained log as lines that fit a pane.

use std::collections::BTreeMap;

use ratatui::text::{Line, Span};
use turnstone_table::{Explanation, Kind, Moment, Table, Viewer};

use super::theme::Theme;
use crate::render::wrap;

/// As many actions are shown at most.
const SHOWN: usize = 1000;

/// Explanations that were asked for before, for one viewer.
#[derive(Default)]
pub struct Log {
    viewer: Option<Viewer>,
    told: BTreeMap<Moment, Explanation>,
}

impl Log {
    /// Everything about the present moment, with every reason, wrapped to `columns`.
    pub fn reasons(
        &self,
        table: &dyn Table,
        viewer: Viewer,
        columns: usize,
        theme: Theme,
    ) -> Vec<Line<'static>> {
        let mut out = Vec::new();
        if table.here() == 0 {
            return vec![Line::raw("Nothing has happened yet.")];
        }
        for line in &table.explain(table.here(), viewer).lines {
            wrap_line(line, columns, theme, &mut out);
        }
        out
    }

    /// The lines of the last actions, wrapped to `columns`.
    pub fn lines(
        &mut self,
        table: &dyn Table,
        viewer: Viewer,
        columns: usize,
        theme: Theme,
    ) -> Vec<Line<'static>> {
        if self.viewer != Some(viewer) {
            self.told.clear();
            self.viewer = Some(viewer);
        }
        let line = table.line();
        let mut out = Vec::new();
        for &moment in &line[1.max(line.len().saturating_sub(SHOWN))..] {
            let told = self.told.entry(moment).or_insert_with(|| table.explain(moment, viewer).brief());
            for line in &told.lines {
                wrap_line(line, columns, theme, &mut out);
            }
        }
        out
    }
}

fn wrap_line(line: &turnstone_table::Line, columns: usize, theme: Theme, out: &mut Vec<Line<'static>>) {
    // Deep chains of causes must not run out of the pane.
    let depth = line.depth.min(8.min(columns / 6));
    let indent = " ".repeat(depth.saturating_sub(1) * 2);
    let mark = match line.kind {
        Kind::Input => "▸ ",
        Kind::Fact => "  ",
        Kind::Alteration | Kind::Reason => "· ",
        Kind::Prevented => "✗ ",
    };
    let room = columns.saturating_sub(indent.len() + 2).max(8);
    for (i, piece) in wrap(&line.text, room).into_iter().enumerate() {
        let mark = if i == 0 { mark } else { "  " };
        let style = theme.log(line.kind);
        out.push(Line::from(vec![
            Span::raw(indent.clone()),
            Span::styled(mark.to_owned(), style),
            Span::styled(piece, style),
        ]));
    }
}
