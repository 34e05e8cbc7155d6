import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// The code of the README of the original YapDatabaseExtensions, with `try` and in today's Swift. Comments are the README's; where
/// a line had to change more than that, a second comment says why.
@Suite struct ReadmeTests {
    private typealias Item = MyCustomValue

    private let item = MyCustomValue(metadata: MyCustomMetadata(stars: 5), identifier: UUID())
    private var items: [Item] { (1...3).map { Item(metadata: MyCustomMetadata(stars: $0), identifier: UUID()) } }

    @Test func functionalWrites() async throws {
        let (item, items) = (item, items)
        try await withDatabase { db, _ async throws in
            // Get a YapDatabaseConnection
            let connection = try db.newConnection()

            try blocking {
                // Write a single item
                try connection.write(item)

                // Write an array of items, using one transaction.
                try connection.write(items)
            }
            #expect(try await connection.read { try $0.numberOfKeys(inCollection: Item.collection) } == 4)
            #expect(connection.snapshot == db.snapshot)

            // Write asynchronously
            let finished = DispatchGroup()
            for _ in 1...3 { finished.enter() }
            blocking {
                connection.asyncWrite(item) { finished.leave() }
                connection.asyncWrite(items) { finished.leave() }
            }

            // Create a write transaction block for multiple writes.
            try blocking {
                try connection.write { transaction in
                    try transaction.write(item)
                    try transaction.write(items)
                }
            }

            // Write many items asynchronously
            blocking {
                connection.asyncWrite(
                    { transaction in
                        try transaction.write(item)
                        try transaction.write(items)
                    }, completion: { finished.leave() })
            }
            await withCheckedContinuation { done in finished.notify(queue: .global()) { done.resume() } }
        }
    }

    @Test func functionalReads() throws {
        try withDatabase { db, connection in
            try connection.write(items + [item])
            let (index, key) = (item.index, item.key)
            let (indexes, keys) = ([index], [key])

            // The README has `Item?`, with which Swift warns that the check always succeeds.
            if let item: Item = try connection.readAtIndex(index) {
                #expect(item == self.item && item.metadata?.stars == 5)
            }

            if let meta: Item.MetadataType = try connection.readMetadataAtIndex(index) {
                #expect(meta.stars == 5)
            }

            let items: [Item] = try connection.readAtIndexes(indexes)
            #expect(items == [item])

            // The README names the key "index".
            if let item: Item = try connection.readByKey(key) {
                #expect(item == self.item)
            }

            let found: [Item] = try connection.readByKeys(keys)
            #expect(found == [item])

            let all: [Item] = try connection.readAll()
            #expect(all.count == 4)

            try connection.read { transaction throws in
                let a: Item? = try transaction.readAtIndex(index)
                let b: Item? = try transaction.readByKey(key)
                let c: [Item] = try transaction.readAtIndexes(indexes)
                let d: [Item] = try transaction.readByKeys(keys)
                let all: [Item] = try transaction.readAll()
                let meta: [Item.MetadataType] = try transaction.readMetadataAtIndexes(indexes)
                #expect(
                    a == item && b == item && c == [item] && d == [item] && all.count == 4 && meta.map(\.stars) == [5])
            }
        }
    }

    @Test func itemsWriteThemselves() throws {
        try withDatabase { _, connection throws in
            // Use a YapDatabaseReadWriteTransaction.
            try connection.readWrite { transaction in
                let written = try item.write(transaction)
                #expect(written == item)
            }

            // Write synchronously using a YapDatabaseConnection.
            let written = try item.write(connection)
            #expect(written == item)

            // Write asynchronously using a YapDatabaseConnection.
            let finished = DispatchSemaphore(value: 0)
            item.asyncWrite(connection, queue: .global()) { [item] written in
                #expect(written == item)
                finished.signal()
            }
            try finished.wait(for: "the write")

            // Return an NSOperation which will perform an sync write on a YapDatabaseConnection.
            let write: Operation = item.write(connection)
            let commits = connection.snapshot
            OperationQueue().addOperations([write], waitUntilFinished: true)
            #expect(write.isFinished && connection.snapshot == commits + 1)

            #expect(try items.write(connection).count == 3)
            let writes: Operation = items.write(connection)
            OperationQueue().addOperations([writes], waitUntilFinished: true)
            #expect(try Item.read(connection).all().count == 7)
        }
    }

    @Test func itemsAreReadByTheirType() throws {
        try withDatabase { _, connection throws in
            try connection.write(items + [item])
            let (index, key) = (item.index, item.key)
            let (indexes, keys, someKeys) = ([index], [key], [key, "missing"])

            try connection.read { transaction throws in
                // Read using a YapDB.Index.
                if let item = try Item.read(transaction).byIndex(index) {
                    #expect(item.identifier == self.item.identifier)
                }

                // Read an array of items from an array of YapDB.Index(s)
                let items = try Item.read(transaction).atIndexes(indexes)
                #expect(items == [item])

                // Read using a key
                if let item = try Item.read(transaction).byKey(key) {
                    #expect(item.identifier == self.item.identifier)
                }

                // Read an array of items from an array of String(s)
                let found = try Item.read(transaction).byKeys(keys)
                #expect(found == [item])

                // An array is never nil.
                let allItems = try Item.read(transaction).all()
                #expect(allItems.count == 4)

                // Get the Items which exist for the given keys, and return the [String] keys which are missing.
                let (existing, missingKeys) = try Item.read(transaction).filterExisting(someKeys)
                #expect(existing == [item] && missingKeys == ["missing"])
            }

            if let item = try Item.read(connection).byIndex(index) {
                #expect(item.identifier == self.item.identifier)
            }

            if let item = try Item.read(connection).byKey(key) {
                #expect(item.identifier == self.item.identifier)
            }

            let allItems = try Item.read(connection).all()
            #expect(allItems.count == 4)

            let (existing, missingKeys) = try Item.read(connection).filterExisting(someKeys)
            #expect(existing == [item] && missingKeys == ["missing"])
        }
    }

    /// Sync calls in async code.
    private func blocking<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}

struct MyCustomValue: Persistable, ValueCoding, Hashable {
    typealias Coder = MyCustomValueCoder
    static let collection = "MyCustomValues"
    var metadata: MyCustomMetadata? = .none
    let identifier: UUID
}

struct MyCustomMetadata: ValueCoding, Hashable {
    typealias Coder = MyCustomMetadataCoder
    let stars: Int
}

final class MyCustomValueCoder: NSObject, NSCoding, CodingType {
    let value: MyCustomValue

    init(_ value: MyCustomValue) { self.value = value }

    init?(coder: NSCoder) {
        guard let text = coder.decodeObject(forKey: "identifier") as? String, let identifier = UUID(uuidString: text)
        else { return nil }
        value = MyCustomValue(identifier: identifier)
    }

    func encode(with coder: NSCoder) { coder.encode(value.identifier.uuidString, forKey: "identifier") }
}

final class MyCustomMetadataCoder: NSObject, NSCoding, CodingType {
    let value: MyCustomMetadata

    init(_ value: MyCustomMetadata) { self.value = value }
    init?(coder: NSCoder) { value = MyCustomMetadata(stars: coder.decodeInteger(forKey: "stars")) }
    func encode(with coder: NSCoder) { coder.encode(value.stars, forKey: "stars") }
}
