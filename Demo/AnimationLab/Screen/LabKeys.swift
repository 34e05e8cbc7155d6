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
