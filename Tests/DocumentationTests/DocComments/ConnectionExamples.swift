import Foundation
import YapDatabase

/// The examples in the comments of the members of a connection.
private struct ConnectionExamples {
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let view: YapDatabaseAutoView

    func read() async throws {
        let count = try await connection.read { transaction in try transaction.numberOfKeys(inCollection: "books") }
        _ = count
    }

    func readWrite() async throws {
        try await connection.readWrite { transaction in
            try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
        }
    }

    func syncRead() throws {
        let count = try connection.syncRead { transaction in try transaction.numberOfKeys(inCollection: "books") }
        _ = count
    }

    func syncReadWrite() throws {
        try connection.syncReadWrite { transaction in try transaction.setObject("Dune", forKey: "dune") }
    }

    func asyncRead() throws {
        connection.asyncRead { transaction in
            try transaction.numberOfKeys(inCollection: "books")
        } completionBlock: { result in
            print((try? result.get()) ?? 0)  // on the main queue
        }
    }

    func asyncReadWrite() throws {
        connection.asyncReadWrite { transaction in
            try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
        } completionBlock: { result in
            if case .failure(let error) = result { print(error) }
        }
    }

    func flushTransactions() throws {
        connection.asyncReadWrite { transaction in try transaction.removeObject(forKey: "dune") }
        connection.flushTransactions { print("written") }
    }

    func hasChange() throws {
        let commits = try connection.jump()
        if connection.hasChange(forCollection: "books", in: commits) { print("another book") }
        _ = commits
    }

    func hasChange2() throws {
        let commits = try connection.jump()
        if connection.hasChange(forKey: "dune", inCollection: "books", in: commits) { print("Dune changed") }
        _ = commits
    }

    func didClearCollection() throws {
        let commits = try connection.jump()
        let isEmptied = connection.didClearCollection("books", in: commits)
        _ = (commits, isEmptied)
    }

    func enumerateChangedKeys() throws {
        let commits = try connection.jump()
        connection.enumerateChangedKeys(inCollection: "books", in: commits) { key, stop in print(key) }
        _ = commits
    }

    func endLongLivedReadTransaction() throws {
        try connection.jump()
        try connection.endLongLivedReadTransaction()
    }

    func isInLongLivedReadTransaction() throws {
        try connection.jump()
        print(connection.isInLongLivedReadTransaction())  // true
    }

    func enableExceptionsForImplicitlyEndingLongLivedReadTransaction() throws {
        connection.enableExceptionsForImplicitlyEndingLongLivedReadTransaction()
        try connection.jump()
        // A write on this connection would stop the program from here on.
    }

    func flushMemory() throws {
        try connection.flushMemory(with: [.caches, .internal])
    }

    func vacuum() throws {
        try connection.vacuum()
    }

    func pragmaSynchronous() throws {
        print(try connection.pragmaSynchronous(), try connection.pragmaPageSize())  // such as 1 4096
    }

    func backup() throws {
        try connection.backup(toPath: "/backups/library.sqlite")
    }

    func read2() throws {
        let title = try connection.read { transaction in
            try transaction.object(forKey: "dune", inCollection: "books") as? String
        }
        _ = title
    }

    func readWrite2() throws {
        try connection.readWrite { transaction in
            try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
        }
    }

    func makeConnectionPool() {
        let pool = YapDatabaseConnectionPool(database: database, limit: 2)
        _ = pool
    }
}
