import ScreenPrograms

/// The key bindings of the browser.
package struct BrowserKeys: Hashable, Sendable {
    let map: KeyMap

    /// The default bindings, without the user's configuration.
    package static let standard = BrowserKeys(map: own)

    private init(map: KeyMap) { self.map = map }

    /// Applies the user's configuration.
    /// - Throws: the actions in it that the browser does not have.
    init(_ config: KeyConfig) throws(KeyConfigError) {
        self.init(map: try config.applied(to: Self.standard.maps, of: "browse")[0])
    }

    package var maps: [KeyMap] { [map] }

    func help(_ theme: Theme) -> Overlay {
        let heading = Style(.terminal, on: .terminal, .bold)
        var lines: [Line] = []
        for (title, actions) in Self.chapters {
            let part = KeyMap(map.bindings.filter { actions.contains($0.action) }).helpLines(theme: theme)
            guard !part.isEmpty else { continue }
            lines += (lines.isEmpty ? [] : [[]]) + [Line(text: title, heading)] + part
        }
        return Overlay("Keys", lines)
    }
}

extension BrowserKeys {
    private static let everywhere: [KeyMap.Binding] = [
        .init(.open, ["enter"], "open: a line's list, a row, the target of a row's line", hint: "open"),
        .init(.goIn, ["l", "right"], "unfold, or into the next pane"),
        .init(.goOut, ["h", "left"], "fold, or back to the pane before", hint: "back"),
        .init(.fold, ["space"], "fold or unfold", hint: "fold"),
        .init(.focusNext, ["tab"], "next pane", hint: "next pane"),
        .init(.focusPrevious, ["shift-tab"], "previous pane"),
        .init(.follow, ["f"], "follow the commits of other programs, or stop that", hint: "follow"),
        .init(.copy, ["y"], "copy the value, or the key", hint: "copy"),
        .init(.copyPath, ["Y"], "copy where it is: collection/key, and the path inside"),
        .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        .init(
            .save, ["w", "ctrl-s"], "save the list as .csv, .jsonl or .md; in a row the value's bytes", hint: "save"),
        .init(.openOutside, ["v"], "show the value in another program: $YAP_OPEN, else xdg-open", hint: "show"),
        .init(.seeImage, ["i"], "show an image here, where the terminal can; any key ends it", hint: "image"),
        .init(.cancel, ["esc"], "cancel a search, a filter, marks; then go back", hint: "cancel"),
        .init(.message, ["!"], "the last message in full"),
        .init(.help, ["?", "f1"], "all keys", hint: "help"),
        .init(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ]

    private static let inTree: [KeyMap.Binding] = [
        .init(.mark, ["m"], "mark a group; Enter shows the marked ones of a view as sections", hint: "mark"),
        .init(.space, ["b"], "the bytes that each part of the file takes, or its rows again", hint: "bytes"),
    ]

    private static let inList: [KeyMap.Binding] = [
        .init(.search, ["/"], "find in keys and values; Tab: in keys alone, many times as fast", hint: "find"),
        .init(.searchKeys, ["K"], "find in keys alone", hint: "find keys"),
        .init(.searchNext, ["n"], "next match", hint: "next match"),
        .init(.searchPrevious, ["N"], "previous match", hint: "previous"),
        .init(
            .filter, ["&"],
            "show only matches, or by fields: =price > 20, or both: dune &=price > 20; Tab: only matching keys",
            hint: "filter"),
        .init(.fullText, ["F"], "query a full-text index, with the syntax of SQLite's MATCH", hint: "full text"),
        .init(.goTo, [":"], "go to a row by its number or key, also by the first letters of one", hint: "go to"),
        .init(.sort, ["s"], "sort a collection by key or rowid, an index by a column", hint: "sort"),
        .init(.sortAscending, ["["], "sort by a field or an expression, the smallest first", hint: "sort up"),
        .init(.sortDescending, ["]"], "sort by a field or an expression, the largest first", hint: "sort down"),
        .init(.countBy, ["C"], "count by a field or an expression; Enter filters by the value", hint: "count by"),
        .init(.range, ["R"], "only the first or last rows, after sorting and filtering", hint: "range"),
        .init(.reverse, ["r"], "show these rows from the last to the first", hint: "reverse"),
        .init(.columns, ["c"], "choose the columns and their widths", hint: "columns"),
        .init(.wider, [">"], "widen the first column, or the one chosen with c; 10> by 10", hint: "wider"),
        .init(.narrower, ["<"], "a narrower one", hint: "narrower"),
        .init(.fitColumns, ["="], "fit the columns to their content", hint: "fit"),
    ]

    private static let inRow: [KeyMap.Binding] = [
        .init(.unfoldAll, ["o"], "unfold everything"),
        .init(.foldAll, ["O"], "fold everything"),
        .init(.raw, ["x"], "the bytes as they are stored, and back", hint: "raw"),
        .init(.decoder, ["d"], "how values of this collection are decoded", hint: "decoder"),
    ]

    private static let moving = KeyMap.table.bindings.map(\.action)

    private static let chapters: [(String, [Action])] = [
        ("Everywhere", everywhere.map(\.action)), ("Moving", moving), ("In the tree", inTree.map(\.action)),
        ("In a list", inList.map(\.action)), ("In a row", inRow.map(\.action)),
    ]

    private static var own: KeyMap {
        // For a key in both maps (the space) the browser's binding counts.
        KeyMap.table.merging(KeyMap(everywhere + inTree + inList + inRow))
    }
}
