import Foundation
import YapDatabase

/// The examples in the comments of the members of a transaction that writes.
private struct WriteExamples {
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadWriteTransaction

    func removeObject() throws {
        try transaction.removeObject(forKey: "dune", inCollection: "books")
    }

    func removeObjects() throws {
        try transaction.removeObjects(forKeys: ["dune", "solaris"], inCollection: "books")
    }

    func removeAllObjects() throws {
        try transaction.removeAllObjects(inCollection: "books")
    }

    func removeAllObjectsInAllCollections() throws {
        try transaction.removeAllObjectsInAllCollections()
    }

    func setObject() throws {
        try transaction.setObject("Dune", forKey: "dune", inCollection: "books", withMetadata: Date())
    }

    func replace() throws {
        try transaction.replace("Dune Messiah", forKey: "dune", inCollection: "books")
    }

    func replaceMetadata() throws {
        try transaction.replaceMetadata(Date(), forKey: "dune", inCollection: "books")
    }

    func touchObject() throws {
        try transaction.touchObject(forKey: "dune", inCollection: "books")  // lists show the row again
    }

    func rollback() throws {
        try connection.readWrite { transaction in
            try transaction.removeAllObjects(inCollection: "books")
            transaction.rollback()  // the rows are still there
        }
    }

    func addCompletionQueue() throws {
        try connection.readWrite { transaction in
            try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
            transaction.addCompletionQueue { print("committed") }
        }
    }
}
