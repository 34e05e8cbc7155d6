import LiveTable

/// The key bindings of the lab.
public struct LabKeys: Hashable, Sendable {
    let list: KeyMap
    let settings: KeyMap

    /// The default bindings, without the user's configuration.
    public static let standard = LabKeys(
        list: edits.merging(commits).merging(time).merging(screen).merging(.table),
        settings: time.merging(screen).merging(inSettings))

    /// Applies the user's configuration.
    /// - Throws: the actions in it that the lab does not have.
    init(_ config: KeyConfig) throws(KeyConfigError) {
        let maps = try config.applied(to: Self.standard.maps, of: "lab")
        self.init(list: maps[0], settings: maps[1])
    }

    private init(list: KeyMap, settings: KeyMap) {
        self.list = list
        self.settings = settings
    }

    public var maps: [KeyMap] { [list, settings] }

    /// Returns all keys, grouped by purpose.
    func help(_ theme: Theme) -> Overlay {
        let heading = Style(.terminal, on: .terminal, .bold)
        let parts: [(title: String, part: KeyMap, map: KeyMap)] = [
            ("Edits", Self.edits, list), ("Transactions and the timeline", Self.commits, list),
            ("Time", Self.time, list), ("Screen", Self.screen, list), ("The list", .table, list),
            ("Settings, after Tab", Self.inSettings, settings),
        ]
        let lines = parts.map { title, part, map in
            let actions = Set(part.bindings.map(\.action))
            let bound = KeyMap(map.bindings.filter { actions.contains($0.action) })
            return [Line(text: title, heading)] + bound.helpLines(theme: theme)
        }
        return Overlay("Keys", Array(lines.joined(separator: [[]])))
    }
}

extension LabKeys {
    static let edits = KeyMap([
        .init(.insertAfter, ["a", "insert"], "insert a row after the selected one", hint: "add"),
        .init(.insertBefore, ["i"], "insert a row before it", hint: "insert"),
        .init(.insertAtRandom, ["r"], "insert a row anywhere"),
        .init(.delete, ["d", "delete"], "delete the row", hint: "delete"),
        .init(.deleteAll, ["D"], "delete all rows"),
        .init(.moveUp, ["K", "shift-up"], "move the row up", hint: "up"),
        .init(.moveDown, ["J", "shift-down"], "move the row down", hint: "down"),
        .init(.nextGroup, [">"], "move the row to the next group", hint: "group"),
        .init(.previousGroup, ["<"], "move the row to the group before"),
        .init(.changeText, ["c"], "change the row's text", hint: "change"),
        .init(.typeText, ["C"], "type the row's text"),
        .init(.changeMetadata, ["m"], "change the row's metadata"),
        .init(.touch, ["t"], "touch the row: it is reported, although nothing changes"),
        .init(.storm, ["s"], "a storm of 20 random edits; 50s: of 50", hint: "storm"),
        .init(.seededStorm, ["S"], "a storm with a chosen seed"),
    ])

    static let commits = KeyMap([
        .init(.collect, ["b"], "begin a transaction: collect edits; again: commit them", hint: "collect"),
        .init(.hold, ["h"], "hold the list: commits wait for one jump; again: jump", hint: "hold"),
        .init(.commit, ["enter"], "commit the collected edits, or jump to the held commits", hint: "commit"),
        .init(.undo, ["u"], "undo", hint: "undo"),
        .init(.redo, ["U", "ctrl-r"], "redo"),
        .init(.back, ["left"], "a step back along the timeline", hint: "back"),
        .init(.forward, ["right"], "a step forward", hint: "forward"),
        .init(.toBeginning, ["["], "to the beginning of the timeline"),
        .init(.toEnd, ["]"], "to its end"),
        .init(.play, ["x"], "play the timeline from its beginning", hint: "play"),
    ])

    static let time = KeyMap([
        .init(.slower, ["-"], "slower: 1, 1/2, 1/4, 1/10, 1/20", hint: "slower"),
        .init(.faster, ["+", "="], "faster"),
        .init(.pause, ["p"], "stop time; again: resume", hint: "pause"),
        .init(.frame, ["."], "one frame further", hint: "frame"),
        .init(.motion, ["M"], "motion: full, reduced, none"),
    ])

    static let screen = KeyMap([
        .init(.sideBySide, ["v"], "beside it, a plain reload or another answer", hint: "compare"),
        .init(.gallery, ["e"], "the gallery of examples", hint: "examples"),
        .init(.explain, ["E"], "the introduction of the example"),
        .init(.details, ["L"], "the whole change-set and log of the last step"),
        .init(.save, ["w"], "write the steps to a file"),
        .init(.load, ["o"], "open a file of scenarios"),
        .init(.nextScenario, ["n"], "next scenario of the file or the gallery"),
        .init(.previousScenario, ["N"], "the scenario before"),
        .init(.copy, ["y"], "copy the steps as a scenario"),
        .init(.focusNext, ["tab", "shift-tab"], "between the list and the settings", hint: "settings"),
        .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        .init(.message, ["!"], "the last message in full"),
        .init(.help, ["?", "f1"], "all keys", hint: "help"),
        .init(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ])

    static let inSettings = KeyMap([
        .init(.nextSetting, ["down", "j"], "next setting"),
        .init(.previousSetting, ["up", "k"], "setting before", hint: "choose"),
        .init(.settingUp, ["right", "l", "enter", "space"], "another value", hint: "change"),
        .init(.settingDown, ["left", "h"], "the value before"),
        .init(.addGroup, ["a", "insert"], "add a group to those that are shown", hint: "add group"),
        .init(.cancel, ["esc"], "back to the list", hint: "list"),
        .init(.undo, ["u"], "undo", hint: "undo"),
        .init(.redo, ["U", "ctrl-r"], "redo"),
    ])
}
