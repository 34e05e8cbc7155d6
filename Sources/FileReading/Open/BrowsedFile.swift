import Foundation
import FileEngine

/// A file opened read-only: nothing is ever written, neither to it nor beside it.
///
/// It stays on one state of the file until ``advance(_:lists:)``. Used on one thread; the objects that it returns state
/// their own rules.
package final class BrowsedFile {
    package let path: String
    /// What is unusual about the file, in sentences; empty for a sound file of the current layout.
    package var notes: [String] { damage + snapshot.notes }
    /// The state that is looked at now.
    package internal(set) var snapshot: FileSnapshot
    private let damage: [String]
    /// Whether some of the file is missing, or it was being changed when its writer stopped.
    package let isPartial: Bool
    let isTruncated: Bool
    private static let shown = "Its readable part is shown; `yap repair` makes a sound copy of it."

    /// Opens a file.
    /// - Throws: ``YapDatabaseError`` if nothing of it can be shown: it does not exist, is encrypted or not a database,
    ///   its
    ///   first page is damaged, or the system refuses access.
    package init(path: String) throws {
        self.path = path
        var damage: [String] = []
        let path = TracelessRead.target(of: path)
        let found = try TracelessRead.existing(path)
        do {
            try found.checkShape()
        } catch let error as YapDatabaseError where error.code == .truncated {
            damage.append("\(error.message) \(Self.shown)")
        }
        let isCut = !damage.isEmpty
        var isPartial = isCut
        do {
            let (newest, repair) = try Self.newest(path, isTruncated: isCut)
            snapshot = newest
            guard repair.definitions.isEmpty else {
                throw YapDatabaseError(.corrupt, "The schema of \(path) is damaged.")
            }
        } catch let error as YapDatabaseError where (error.code == .corrupt || error.code == .sqlite) && !isCut {
            let (newest, repair) = try Self.newest(path, isTruncated: true)
            snapshot = newest
            // If the schema is not the cause, SQLite reports the error again.
            damage += ["\(error.message) \(Self.shown)"] + repair.repairs + repair.losses
            isPartial = !repair.losses.isEmpty
        }
        isTruncated = !damage.isEmpty
        let unfinished = TracelessRead.unfinishedChange(path)
        self.damage = damage + [unfinished].compactMap(\.self)
        self.isPartial = isPartial || unfinished != nil
    }

    /// The most attempts if commits interfere with a state that no lock holds.
    private static let attemptLimit = 50

    /// Opens the newest state, and finds out what is damaged in its schema.
    private static func newest(_ path: String, isTruncated: Bool) throws -> (FileSnapshot, SchemaRepair) {
        var attempts = 1
        while true {
            let snapshot = try FileSnapshot.newest(path, isTruncated: isTruncated)
            do {
                return (snapshot, try snapshot.read { try SchemaRepair($0, isMalformed: true) })
            } catch let error as YapDatabaseError where error.code == .reloadNeeded && attempts < attemptLimit {
                attempts += 1
            }
        }
    }
}
