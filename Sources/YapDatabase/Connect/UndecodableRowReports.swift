import Dispatch
import FileEngine

/// Remembers which undecodable rows were reported to the program, so that each row is reported once.
final class UndecodableRowReports: Sendable {
    /// Reports come one after the other.
    static let queue = DispatchQueue(label: "YapDatabase undecodable rows")
    /// The most rows that are remembered. Further rows are not reported: the program knows by then.
    private static let limit = 10_000

    private struct Reported: Hashable {
        let rowid: Int64
        let digest: String
    }

    /// A row that an extension has and that a reader could not decode.
    private struct Checked: Hashable {
        let name: String
        let reported: Reported
    }

    // In structures: a process that has just begun would search all conformances of the program for those of the keys.
    private struct Known {
        var reported: Set<Reported> = []
    }
    private struct Unreadable {
        var rows: [Checked: LeftOutRow] = [:]
    }
    private let known = Locked(Known())
    private let unreadable = Locked(Unreadable())

    /// Reports the rows to the program that were not reported before. Called on ``queue``.
    func report(_ reports: [LeftOutRows.Report], _ options: YapDatabaseOptions) {
        for row in new(reports) {
            if let handler = options.undecodableRowHandler { handler(row) } else { YapDatabase.log(.warning, "\(row)") }
        }
    }

    /// Notes a row that an extension has and that a reader could not decode.
    /// - Returns: false if it was noted before.
    func noteUnreadable(_ report: LeftOutRows.Report) -> Bool {
        let checked = Checked(name: report.name, reported: Reported(rowid: report.row.rowid, digest: report.digest))
        return unreadable.withLock {
            $0.rows.count < Self.limit && $0.rows.updateValue(report.row, forKey: checked) == nil
        }
    }

    /// The rows that readers of an extension could not decode, with their digests, as they were then.
    func unreadable(in name: String) -> [(row: LeftOutRow, digest: String)] {
        unreadable.withLock { unreadable in
            unreadable.rows.filter { $0.key.name == name }.map { ($0.value, $0.key.reported.digest) }
        }
    }

    /// Whether readers of an extension found rows that they could not decode. O(1) if there was none of any extension.
    func hasUnreadable(in name: String) -> Bool {
        unreadable.withLock { unreadable in
            !unreadable.rows.isEmpty && unreadable.rows.contains { $0.key.name == name }
        }
    }

    /// Returns those of the rows that were not reported before.
    private func new(_ reports: [LeftOutRows.Report]) -> [YapDatabaseUndecodableRow] {
        var names: [Reported: (names: [String], row: LeftOutRow)] = [:]
        var order: [Reported] = []
        for report in reports {
            let reported = Reported(rowid: report.row.rowid, digest: report.digest)
            if names[reported] == nil { order.append(reported) }
            names[reported, default: ([], report.row)].names.append(report.name)
        }
        return known.withLock { known in
            order.filter { known.reported.count < Self.limit && known.reported.insert($0).inserted }
        }.compactMap { one in
            names[one].map { YapDatabaseUndecodableRow($0.names, $0.row.key, cause: $0.row.cause) }
        }
    }
}
