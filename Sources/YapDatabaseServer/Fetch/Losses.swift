import FileEngine
import Foundation

/// What a file would lose if it were made equal to a space that does not continue its own.
struct Losses {
    /// Rows that the space does not have.
    private(set) var missing = 0
    /// Rows that the space has otherwise.
    private(set) var different = 0

    var isEmpty: Bool { missing == 0 && different == 0 }

    init(
        of rows: RowSpool, _ collections: YapDatabaseServerCollections, in transaction: YapDatabaseReadTransaction
    ) throws {
        let known = try KeySet(rows)
        try transaction.forEachStoredKey { key in
            if collections.contains(key.collection), !known.contains(key) { missing += 1 }
        }
        try rows.forEach { row in
            guard !row.isUnusable, collections.contains(row.key.collection) else { return }
            guard let stored = try transaction.storedBytes(row.key) else { return }
            if stored.object != row.object || stored.metadata != row.metadata { different += 1 }
        }
    }
}

/// Why a file does not follow a space: the space does not continue what the file has of it, and the file would lose rows. Holds until one of the
/// two changes.
struct Refusal {
    let position: SpacePosition
    let head: SpaceHead
    let error: YapDatabaseServerError

    init(_ position: SpacePosition, _ head: SpaceHead, _ broken: BrokenHistory, _ losses: Losses, file: String) {
        self.position = position
        self.head = head
        let what =
            switch broken {
            case .otherSpace:
                "The space \"\(position.space)\" of this server is another one than the file has followed"
            case .lostCommits:
                "The server has lost commits that it had confirmed: it is at \(head.number), and does not have the file's, "
                    + "\(position.number)"
            }
        error = YapDatabaseServerError(
            .wouldLoseRows,
            "\(what). The file would lose \(Self.count(losses.missing)) that \(losses.missing == 1 ? "is" : "are") not there, and the "
                + "content of \(Self.count(losses.different)). It keeps everything, until you give the space this file's rows "
                + "(`yap server restore --from \(file) URI`) or take the server's, with a copy of the file beside it "
                + "(`yap server take --into \(file)`).")
    }

    private static func count(_ rows: Int) -> String { "\(rows) row\(rows == 1 ? "" : "s")" }

    /// Whether file and space are still at the commits at which the file refused to follow.
    func holds(_ position: SpacePosition?, _ head: SpaceHead) -> Bool {
        position?.number == self.position.number && position?.commit == self.position.commit
            && position?.identity == self.position.identity && head.number == self.head.number
            && head.commit == self.head.commit && head.identity == self.head.identity
    }
}
