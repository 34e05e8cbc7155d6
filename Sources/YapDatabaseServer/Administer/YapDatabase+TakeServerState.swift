import FileEngine
import Foundation

extension YapDatabase {
    /// Lets a file that was refused with `YapDatabaseServerError.Code.wouldLoseRows` take what the server has, after a copy of the
    /// file was made: at the next contact it becomes equal to the space, and loses what the space does not have.
    ///
    /// The database may be open with its server or without it.
    ///
    /// ```swift
    /// try database.takeServerState(copyingTo: copy)
    /// ```
    ///
    /// - Parameter copy: where the copy goes, which is a database of its own; nothing may be there.
    /// - Throws: `YapDatabaseServerError` with `badSpace` if the file follows no space, and ``YapDatabaseError`` if the copy
    ///   cannot be made.
    public func takeServerState(copyingTo copy: URL) throws {
        let connection = try newConnection()
        guard try connection.read({ try $0.position() }) != nil else { throw followsNone }
        guard !FileManager.default.fileExists(atPath: copy.path) else {
            throw YapDatabaseError(.cannotOpen, "\(copy.path) is there already. A copy is made under a new name.")
        }
        try connection.backup(toPath: copy.path)
        try giveWay()
    }

    /// Makes the file equal to the space at the next contact, whatever it loses.
    /// - Parameter identity: of which space; nil for any of the name.
    func giveWay(toIdentity identity: UUID? = nil) throws {
        try newConnection().writePastAuthority { transaction in
            guard let position = try transaction.position() else { throw followsNone }
            try transaction.setPosition(position.givingWay(toIdentity: identity), replacing: position)
        } confirming: { _ in
        }
        server?.refresh()
    }

    var followsNone: YapDatabaseServerError {
        YapDatabaseServerError(.badSpace, "\(path) follows no server.")
    }
}
