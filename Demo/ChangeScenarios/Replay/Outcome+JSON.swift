import YapDatabase

extension Outcome {
    package init(_ outcome: Outcome) {
        switch outcome {
        case .none: self = .none
        case .changes(let changes): self = .changes(changes)
        case .reload: self = .reload
        }
    }

    /// The changes; empty if there are none or a reload replaces them.
    package var changeSet: ChangeSet {
        if case .changes(let changes) = self { return changes }
        return ChangeSet()
    }

    package var changeMembers: [JSON.Member] {
        [
            JSON.Member("sectionChanges", .array(changeSet.sectionChanges.map(\.json))),
            JSON.Member("rowChanges", .array(changeSet.rowChanges.map(\.json))),
        ]
    }

    package var json: JSON {
        switch self {
        case .none: "none"
        case .changes: "changes"
        case .reload: "reload"
        }
    }
}

extension SectionChange {
    package var json: JSON { ["type": type.json, "section": index.json, "group": group.json] }
}

extension RowChange {
    /// The original gives only the path before of an update; the path after is in a field of its own.
    package var json: JSON {
        let isUpdate = type == .update
        return .object(
            ("type", type.json), ("key", key?.scenarioName.json ?? .null), ("changes", flags.words.json),
            ("indexPath", before?.json), ("originalGroup", originalGroup?.json),
            (isUpdate ? "finalPath" : "newIndexPath", after?.json), ("finalGroup", isUpdate ? nil : finalGroup?.json))
    }
}

extension RowPath {
    package var json: JSON { [section.json, row.json] }
}

extension ChangeType {
    package var json: JSON {
        switch self {
        case .insert: "insert"
        case .delete: "delete"
        case .move: "move"
        case .update: "update"
        }
    }
}
