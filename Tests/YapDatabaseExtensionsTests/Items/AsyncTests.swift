import Foundation
import Synchronization
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

@Suite struct AsyncTests {
    @Test func awaitedWritesAndRemovals() async throws {
        try await withDatabase { _, connection async throws in
            let items = (0..<4).map { Employee.sample($0, content: $0, metadata: 1) }
            let written = try await connection.asyncWrite(items[0])
            #expect(written === items[0])
            #expect(try await connection.asyncWrite(items[1...2]).count == 2)
            try await items[3].asyncWrite(connection)
            let count = try await connection.asyncWrite { transaction in
                try transaction.write(Note.sample(1, content: 1, metadata: 0))
                return try transaction.numberOfKeysInAllCollections()
            }
            #expect(count == 5)
            try await connection.asyncRemove(items[0])
            try await items[1...2].asyncRemove(connection)
            let left = try await connection.read { try Employee.read($0).all().map(\.key) }
            #expect(left == [items[3].key])
            try await items[3].asyncRemove(connection)
            try await items.asyncWrite(connection)
            #expect(try await connection.read { try $0.numberOfKeys(inCollection: "Employees") } == 4)
        }
    }

    @Test func awaitedReadsFindWhatTheOthersFind() async throws {
        try await withDatabase { _, connection async throws in
            let items = (0..<4).map { Employee.sample($0, content: $0, metadata: 1) }
            try await items.asyncWrite(connection)
            let (keys, indexes) = (items.map(\.key), items.map(\.index))
            let byKey: Employee? = try await connection.asyncReadByKey(keys[2])
            let byIndex: Employee? = try await connection.asyncReadAtIndex(indexes[1])
            #expect(byKey?.key == keys[2] && byIndex?.key == keys[1])
            let some: [Employee] = try await connection.asyncReadByKeys([keys[3], "none", keys[0]])
            let others: [Employee] = try await connection.asyncReadAtIndexes(indexes[1...2])
            let all: [Employee] = try await connection.asyncReadAll()
            #expect(some.map(\.key) == [keys[3], keys[0]] && others.map(\.key) == Array(keys[1...2]))
            #expect(Set(all.map(\.key)) == Set(keys))

            let read = Employee.asyncRead(connection)
            #expect(try await read.byKey(keys[0])?.key == keys[0])
            #expect(try await read.byIndex(indexes[0])?.key == keys[0])
            #expect(try await read.atIndexes(indexes).map(\.key) == keys)
            #expect(try await read.byKeys(keys).map(\.key) == keys)
            #expect(try await read.all().count == 4)
            let found = try await read.filterExisting(keys + ["none"])
            #expect(found.existing.map(\.key) == keys && found.missing == ["none"])
            let (one, several) = (
                try await read.metadataAtIndex(indexes[0]), try await read.metadataAtIndexes(indexes)
            )
            #expect(one != nil && several.count == 4)
        }
    }

    @Test func completionBlocksReceiveTheItemOrNothing() throws {
        try withDatabase { _, connection throws in
            let done = DispatchGroup()
            let texts = Mutex<[String]>([])
            @Sendable func note(_ text: String) {
                texts.withLock { $0.append(text) }
                done.leave()
            }
            for _ in 1...6 { done.enter() }
            let notes = (1...3).map { Note.sample($0, content: $0, metadata: 0) }
            let queue = DispatchQueue(label: "completions")
            connection.asyncWrite(notes[0], queue: queue) { result in note((try? result.get().text) ?? "failed") }
            connection.asyncWrite(notes, queue: queue) { result in note((try? result.get().last?.text) ?? "failed") }
            connection.asyncWrite(notes[0], queue: queue) { note("one") }
            connection.asyncRemove(notes[0], queue: queue) { note("removed") }
            notes[1...].asyncRemove(connection, queue: queue) { result in
                note((try? result.get()).map { "all removed" } ?? "failed")
            }
            connection.asyncWrite({ try $0.numberOfKeysInAllCollections() }, queue: queue) { result in
                note((try? result.get()).map { "\($0)" } ?? "failed")
            }
            try done.wait(for: "the blocks")
            #expect(texts.withLock { $0 } == ["note 1", "note 3", "one", "removed", "all removed", "0"])
        }
    }

    @Test func errorsGoToTheBlockOrToTheHandler() throws {
        let errors = Mutex<[YapDatabaseError.Code]>([])
        var options = YapDatabaseOptions()
        options.asyncErrorHandler = { error in
            errors.withLock { $0.append((error as? YapDatabaseError)?.code ?? .closed) }
        }
        try withDatabase(options: options) { _, connection throws in
            let done = DispatchSemaphore(value: 0)
            let wrong = Weight(identifier: 1, kilograms: .nan)
            connection.asyncWrite(wrong, queue: .global()) { result in
                #expect(throws: YapDatabaseError.self) { try result.get() }
                done.signal()
            }
            try done.wait(for: "the block with the error")
            #expect(errors.withLock { $0 } == [])

            connection.asyncWrite(wrong, queue: .global()) { done.signal() }
            try done.wait(for: "the block without")
            #expect(errors.withLock { $0 } == [.encodingFailed])

            let operation = wrong.writeOperation(connection)
            #expect(operation.error == nil)
            OperationQueue().addOperations([operation], waitUntilFinished: true)
            #expect((operation.error as? YapDatabaseError)?.code == .encodingFailed)
            #expect(errors.withLock { $0 } == [.encodingFailed, .encodingFailed])
            #expect(try Weight.read(connection).all().isEmpty)
        }
    }

    @Test func operationsRunInTheirQueuesOrder() throws {
        try withDatabase { _, connection throws in
            let note = Note.sample(1, content: 1, metadata: 0)
            let queue = OperationQueue()
            let remove = note.removeOperation(connection)
            let write = note.writeOperation(connection)
            let count = Mutex(0)
            let look = connection.writeBlockOperation { transaction in
                let found = try transaction.numberOfKeysInAllCollections()
                count.withLock { $0 = found }
            }
            look.addDependency(write)
            remove.addDependency(look)
            queue.addOperations([remove, look, write], waitUntilFinished: true)
            #expect(count.withLock { $0 } == 1)
            #expect(try Note.read(connection).byKey(note.key) == nil)
        }
    }

    /// A program that looks at the operation's error needs no handler, without which other unattended transactions end the program.
    @Test func anOperationThatFailsKeepsItsError() throws {
        try withDatabase { _, connection throws in
            let operation = connection.writeBlockOperation { _ in throw CancellationError() }
            let queue = OperationQueue()
            queue.addOperations([operation], waitUntilFinished: true)
            #expect(operation.isFinished && operation.error is CancellationError)
        }
    }

    @Test func curriedReadsAndWrites() throws {
        try withDatabase { _, connection throws in
            let note = Note.sample(1, content: 1, metadata: 0)
            #expect(try connection.write(note.write()) == note)
            #expect(try connection.read(Note.readByKey(note.key)) == note)
            #expect(try connection.read(Note.readAtIndex(note.index)) == note)
            #expect(try connection.read(Note.readByKeys([note.key])) == [note])
            #expect(try connection.read(Note.readAtIndexes([note.index])) == [note])
        }
    }
}

/// A value that JSON cannot hold if it is not a number.
private struct Weight: Persistable, Codable {
    static let collection = "Weights"
    static var objectCoding: YapDB.Coding { .codable(Weight.self, as: .json) }
    let identifier: Int
    var kilograms: Double
}
