import FileReading
import ScreenPrograms

extension Action {
    static let onlyNew: Action = "only-new"
    static let onlyGone: Action = "only-gone"
    static let onlyChanged: Action = "only-changed"
    static let onlyInViews: Action = "only-in-views"
}

/// The key bindings of `yap diff` on the screen: those of the browser, as far as there is the same to do.
package struct DiffKeys: Hashable, Sendable {
    let map: KeyMap

    /// The default bindings, without the user's configuration.
    package static let standard = DiffKeys(map: own)

    private init(map: KeyMap) { self.map = map }

    /// Applies the user's configuration.
    /// - Throws: the actions in it that this screen does not have.
    init(_ config: KeyConfig) throws(KeyConfigError) {
        self.init(map: try config.applied(to: Self.standard.maps, of: "diff")[0])
    }

    package var maps: [KeyMap] { [map] }

    func help(_ theme: Theme) -> Overlay { Overlay("Keys", map.helpLines(theme: theme)) }

    private static let bindings: [KeyMap.Binding] = [
        .init(.open, ["enter"], "open: the fields of both files side by side", hint: "open"),
        .init(.goIn, ["l", "right"], "into the panel"),
        .init(.goOut, ["h", "left"], "back to the list", hint: "back"),
        .init(.focusNext, ["tab"], "the other pane"),
        .init(.focusPrevious, ["shift-tab"], "the other pane"),
        .init(.search, ["/"], "find in names, and in values of either file", hint: "find"),
        .init(.searchNext, ["n"], "next match"),
        .init(.searchPrevious, ["N"], "previous match"),
        .init(.filter, ["&"], "show only matches, or by fields of either file: =price > 20", hint: "filter"),
        .init(.onlyNew, ["+"], "only new rows, or all again", hint: "new"),
        .init(.onlyGone, ["-"], "only rows that are gone, or all again", hint: "gone"),
        .init(.onlyChanged, ["~"], "only changed rows, or all again", hint: "changed"),
        .init(.onlyInViews, [">"], "only what differs in views, or all again", hint: "views"),
        .init(.copy, ["y"], "copy the key, or the value of the second file", hint: "copy"),
        .init(.copyPath, ["Y"], "copy where it is: collection/key, and the field", hint: "copy path"),
        .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        .init(.cancel, ["esc"], "stop comparing; end a search, a filter; then go back"),
        .init(.message, ["!"], "the last message in full"),
        .init(.help, ["?", "f1"], "all keys", hint: "help"),
        .init(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ]

    private static var own: KeyMap { KeyMap.table.merging(KeyMap(bindings)) }
}

extension ChangeKind {
    /// The kind that an action shows alone.
    init?(shownBy action: Action) {
        switch action {
        case .onlyNew: self = .inserted
        case .onlyGone: self = .deleted
        case .onlyChanged: self = .updated
        case .onlyInViews: self = .inViews
        default: return nil
        }
    }
}
