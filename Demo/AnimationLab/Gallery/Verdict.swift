import LiveTable

/// How a change-set keeps or breaks the law.
enum Verdict: Hashable, Sendable {
    /// Applied to the rows before, it gives the rows after, and it names every row that has to be drawn anew.
    case exact
    /// It names a position that is not there: a table view throws an exception.
    case misfit(ChangeSetMisfit)
    /// The number of sections that it leads to is not the one that the view has: a table view throws.
    case sectionCount(Int, instead: Int)
    /// A section would show another group than the view has there.
    case group(String, section: Int, instead: String)
    /// The number of rows that it leads to is not the one that the section has: a table view throws.
    case rowCount(Int, section: Int, instead: Int)
    /// The numbers fit, and another row is shown than the one that is there.
    case wrongRow(RowKey, RowPath, instead: RowKey)
    /// The rows are right, but this one, by its position before, has to be drawn anew and is not named.
    case unreported(RowKey, RowPath)
    /// There is no answer.
    case endless
}

extension Verdict {
    /// What is wrong with the rows that a change-set gives, by the first difference; nil if nothing is.
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

    /// A row that stays and is named by the complete change-set, but not by the other; nil if there is none.
    init?(unreportedBy changes: ChangeSet, needed: ChangeSet?, before: ListSnapshot) {
        let named = Set(changes.rowChanges.compactMap(\.before))
        let missing = needed?.rowChanges.filter { $0.type == .update }.compactMap(\.before).filter {
            !named.contains($0)
        }
        guard let path = missing?.min(), let key = before[path] else { return nil }
        self = .unreported(key, path)
    }

    /// Whether a table view would end with an exception, or never end, so that there is no table to show.
    var isCrash: Bool {
        switch self {
        case .misfit, .sectionCount, .rowCount, .endless: true
        case .exact, .group, .wrongRow, .unreported: false
        }
    }

    /// The position that is wrong; nil where nothing is, or where the fault has no position.
    var path: RowPath? {
        switch self {
        case .misfit(.row(let change)), .misfit(.identity(let change, _)):
            change.type == .delete || change.type == .update ? change.before : change.after
        case .wrongRow(_, let path, _), .unreported(_, let path): path
        case .exact, .misfit, .sectionCount, .group, .rowCount, .endless: nil
        }
    }
}
