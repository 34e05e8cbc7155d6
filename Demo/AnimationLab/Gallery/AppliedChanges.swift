import LiveTable

/// A change-set and the result of applying it to the rows before, the way a table view does.
struct AppliedChanges: Hashable, Sendable {
    let changes: ChangeSet
    /// The resulting rows; nil if a table view would throw an exception.
    let rows: ListSnapshot?
    let verdict: Verdict
    /// The positions in the result that differ from a plain reload or show an outdated row.
    let wrongPaths: Set<RowPath>
}

extension AppliedChanges {
    /// - Parameter needed: a complete change-set for the same rows; every row that stays and that it names must be
    ///   named here as well. Nil requires nothing.
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
    /// Returns the positions of our rows that the other list lacks or fills with another row.
    fileprivate func paths(differingFrom other: ListSnapshot) -> [RowPath] {
        sections.indices.flatMap { section in
            sections[section].rows.indices.map { RowPath(section: section, row: $0) }
        }.filter { self[$0] != other[$0] || sections[$0.section].group != other.sections[$0.section].group }
    }
}
