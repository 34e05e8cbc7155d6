import LiveTable

/// A change-set, and what becomes of the rows before when it is applied to them the way a table view does.
struct AppliedChanges: Hashable, Sendable {
    let changes: ChangeSet
    /// The rows that it gives; nil where a table view would throw an exception on the way.
    let rows: ListSnapshot?
    let verdict: Verdict
    /// The positions, in the rows that it gives, that do not show what a plain reload shows there, or show it as it was.
    let wrongPaths: Set<RowPath>
}

extension AppliedChanges {
    /// - Parameter needed: a complete change-set for the same rows; every row that stays and is named there has to be
    ///   named here as well. Nil asks for nothing.
    init(_ changes: ChangeSet, to before: ListSnapshot, after: ListSnapshot, needed: ChangeSet? = nil) {
        self.changes = changes
        do {
            let applied = try changes.applying(to: before) { after[$0] }
            rows = applied
            verdict =
                Verdict(shown: applied, after: after)
                ?? Verdict(unreportedBy: changes, needed: needed, before: before) ?? .exact
            if case .unreported(let key, _) = verdict {
                wrongPaths = Set([applied.paths[key]].compactMap(\.self))
            } else {
                wrongPaths = Set(applied.paths(differingFrom: after))
            }
        } catch {
            rows = nil
            wrongPaths = []
            verdict = .misfit(error)
        }
    }
}

extension ListSnapshot {
    /// The positions of our rows that the other list does not have or that hold another row there.
    fileprivate func paths(differingFrom other: ListSnapshot) -> [RowPath] {
        sections.indices.flatMap { section in
            sections[section].rows.indices.map { RowPath(section: section, row: $0) }
        }.filter { self[$0] != other[$0] || sections[$0.section].group != other.sections[$0.section].group }
    }
}
