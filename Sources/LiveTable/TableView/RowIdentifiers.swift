import Foundation
import ListChanges
import TableModel
import TerminalCells

/// Gives a table the rows of its data source, and each row an identity, which the data source does not know.
///
/// Only rows that the table has asked for have one, so memory grows with the rows that were seen.
@MainActor final class RowIdentifiers {
    private unowned let view: TableView
    private var identities: [RowPath: Int] = [:]
    private var lastIdentity = 0

    init(_ view: TableView) { self.view = view }

    /// Carries identities over from before the updates to after them.
    func follow(_ updates: TableUpdates) { identities = updates.following(identities) }

    /// Drops the identities of positions that the data source no longer has. The others keep theirs.
    func dropMissing() { identities = identities.filter { isThere($0.key) } }

    private func isThere(_ path: RowPath) -> Bool { path.section < sections && path.row < count(path.section) }

    private var sections: Int { view.dataSource?.numberOfSections(in: view) ?? 0 }

    private func count(_ section: Int) -> Int { view.dataSource?.tableView(view, numberOfRowsInSection: section) ?? 0 }

    private func identity(_ path: RowPath) -> Int {
        if let known = identities[path] { return known }
        lastIdentity += 1
        identities[path] = lastIdentity
        return lastIdentity
    }

    private func makeCell(_ path: RowPath) -> RowCell {
        do {
            return try view.dataSource?.tableView(view, cellForRowAt: IndexPath(path)) ?? RowCell([])
        } catch {
            // One row that cannot be decoded must not hide the others.
            return RowCell([Line(text: "\(error)", view.table.options.theme.wrong)])
        }
    }
}

// A table asks on the thread that called it, which is the main one.
extension RowIdentifiers: TableSource {
    nonisolated var numberOfSections: Int { MainActor.assumeIsolated { sections } }

    nonisolated func numberOfRows(in section: Int) -> Int { MainActor.assumeIsolated { count(section) } }

    nonisolated func header(of section: Int) -> SectionHeader? {
        MainActor.assumeIsolated {
            view.dataSource?.tableView(view, titleForHeaderInSection: section).map { SectionHeader($0) }
        }
    }

    nonisolated func key(at path: RowPath) -> RowKey {
        MainActor.assumeIsolated { RowKey(collection: "", key: "\(identity(path))") }
    }

    nonisolated func path(of key: RowKey) -> RowPath? {
        MainActor.assumeIsolated {
            guard let wanted = Int(key.key) else { return nil }
            return identities.first { $0.value == wanted && isThere($0.key) }?.key
        }
    }

    nonisolated func cell(at path: RowPath, width: Int) -> RowCell { MainActor.assumeIsolated { makeCell(path) } }
}
