import LiveTable

/// Whether a change-set keeps the law, and how it breaks it.
enum Verdict: Hashable, Sendable {
    /// Applied to the rows before, it gives the rows after, and it names every row that must be redrawn.
    case exact
    /// It names a position that does not exist: a table view throws an exception.
    case misfit(ChangeSetMisfit)
    /// It leads to a number of sections that differs from the view's: a table view throws.
    case sectionCount(Int, instead: Int)
    /// A section would show another group than the view's.
    case group(String, section: Int, instead: String)
    /// It leads to a number of rows that differs from the section's: a table view throws.
    case rowCount(Int, section: Int, instead: Int)
    /// The numbers fit, but another row is shown than the view's.
    case wrongRow(RowKey, RowPath, instead: RowKey)
    /// The rows are right, but this one, by its position before, must be redrawn and is not named.
    case unreported(RowKey, RowPath)
    /// There is no answer.
    case endless
}

extension Verdict {
    /// Finds the first difference of the rows that a change-set gives; nil if there is none.
    init?(shown: ListSnapshot, after: ListSnapshot) {
        guard shown.sections.count == after.sections.count else {
            self = .sectionCount(shown.sections.count, instead: after.sections.count)
            return
        }
        for (section, (ours, theirs)) in zip(shown.sections, after.sections).enumerated() {
            if ours.group != theirs.group {
                self = .group(ours.group, section: section, instead: theirs.group)
                return
            }
            if ours.rows.count != theirs.rows.count {
                self = .rowCount(ours.rows.count, section: section, instead: theirs.rows.count)
                return
            }
        }
        for (section, (ours, theirs)) in zip(shown.sections, after.sections).enumerated() {
            if let row = ours.rows.indices.first(where: { ours.rows[$0] != theirs.rows[$0] }) {
                self = .wrongRow(ours.rows[row], RowPath(section: section, row: row), instead: theirs.rows[row])
                return
            }
        }
        return nil
    }

    /// Finds a row that stays and that only the complete change-set names; nil if there is none.
    init?(unreportedBy changes: ChangeSet, needed: ChangeSet?, before: ListSnapshot) {
        let named = Set(changes.rowChanges.compactMap(\.before))
        let missing = needed?.rowChanges.filter { $0.type == .update }.compactMap(\.before).filter {
            !named.contains($0)
        }
        guard let path = missing?.min(), let key = before[path] else { return nil }
        self = .unreported(key, path)
    }

    /// Whether a table view would throw an exception or never finish, so that there is no table to show.
    var isCrash: Bool {
        switch self {
        case .misfit, .sectionCount, .rowCount, .endless: true
        case .exact, .group, .wrongRow, .unreported: false
        }
    }

    /// The wrong position; nil if nothing is wrong, or if the fault has no position.
    var path: RowPath? {
        switch self {
        case .misfit(.row(let change)), .misfit(.identity(let change, _)):
            change.type == .delete || change.type == .update ? change.before : change.after
        case .wrongRow(_, let path, _), .unreported(_, let path): path
        case .exact, .misfit, .sectionCount, .group, .rowCount, .endless: nil
        }
    }
}
