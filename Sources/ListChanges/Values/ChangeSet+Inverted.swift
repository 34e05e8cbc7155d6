extension ChangeSet {
    /// The inverse: applied to the list *after*, it gives the list *before*.
    package var inverted: ChangeSet {
        ChangeSet(sectionChanges: sectionChanges.map(\.inverted), rowChanges: rowChanges.map(\.inverted))
    }
}

extension SectionChange {
    fileprivate var inverted: SectionChange { SectionChange(type: type.inverted, index: index, group: group) }
}

extension RowChange {
    fileprivate var inverted: RowChange {
        RowChange(
            type: type.inverted, flags: flags, key: key, before: after, after: before, originalGroup: finalGroup,
            finalGroup: originalGroup)
    }
}

extension ChangeType {
    fileprivate var inverted: ChangeType {
        switch self {
        case .insert: .delete
        case .delete: .insert
        case .move, .update: self
        }
    }
}
