import Foundation
import FileEngine

/// A file of somebody, opened to be looked at: nothing is ever written, neither to it nor beside it.
///
/// It stands on one state of the file until ``advance(_:lists:)``. One thread uses it; what it hands out says so itself.
package final class BrowsedFile {
    package let path: String
    /// What is unusual about the file, in sentences; empty for a whole file of today's layout.
    package var notes: [String] { damage + snapshot.notes }
    /// The state that is looked at now.
    package internal(set) var snapshot: FileSnapshot
    private let damage: [String]
    /// Whether some of the file is missing, or was being changed when it was left.
    package let isPartial: Bool
    let isTruncated: Bool

    /// Opens a file.
    /// - Throws: ``YapDatabaseError`` when nothing of it can be shown: there is none, it is encrypted or no database, its
    ///   first page is damaged, or the system refuses.
    package init(path: String) throws {
        self.path = path
        var damage: [String] = []
        let path = QuietRead.target(of: path)
        let found = try QuietRead.existing(path)
        do {
            try found.checkShape()
        } catch let error as YapDatabaseError where error.code == .truncated {
            damage.append("\(error.message) What is left of it is shown.")
        }
        let isCut = !damage.isEmpty
        var isPartial = isCut
        do {
            snapshot = try FileSnapshot.newest(path, isTruncated: isCut)
            if try snapshot.read({ try !SchemaRepair($0, isMalformed: true).definitions.isEmpty }) {
                throw YapDatabaseError(.corrupt, "The schema of \(path) is damaged.")
            }
        } catch let error as YapDatabaseError where (error.code == .corrupt || error.code == .sqlite) && !isCut {
            snapshot = try FileSnapshot.newest(path, isTruncated: true)
            let repair = try snapshot.read { try SchemaRepair($0, isMalformed: true) }
            // Where it is not the schema, SQLite says so again.
            damage += ["\(error.message) What can be told of it is shown."] + repair.repairs + repair.losses
            isPartial = !repair.losses.isEmpty
        }
        isTruncated = !damage.isEmpty
        let unfinished = QuietRead.unfinishedChange(path)
        self.damage = damage + [unfinished].compactMap(\.self)
        self.isPartial = isPartial || unfinished != nil
    }
}
