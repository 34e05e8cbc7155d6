import YapDatabase

/// The name of a list over related rows: its stages.
struct LabListName {
    private let stages: [ListStage]

    init(_ stages: [ListStage] = []) { self.stages = stages }

    /// - Parameter collection: of derived rows; nil for another one.
    init?(ofRows collection: String) {
        guard collection.hasPrefix(RowTable.derivedMark) else { return nil }
        self.init(collection.dropFirst().split(separator: "-").compactMap { ListStage(rawValue: String($0)) })
    }

    var text: String { stages.map(\.rawValue).joined(separator: "-") }

    func appending(_ stage: ListStage) -> LabListName { LabListName(stages + [stage]) }

    /// Returns the key of the row from which this one is derived, or the name of its group: the key of a row in one of its groups begins with
    /// that group.
    func name(ofRow key: String) -> String {
        let count = stages.reversed().prefix { $0 != .groups }.count { $0 == .each }
        return (0..<count).reduce(key) { name, _ in YapPlacedKey<String>.key(stored: name)?.key ?? name }
    }
}
