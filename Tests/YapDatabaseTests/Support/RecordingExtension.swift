import Foundation
import ListChanges

@testable import FileEngine
@testable import YapDatabase

/// An extension that writes down what it hears, as text, and keeps the number of rows that it knows of as its state.
final class RecordingExtension: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked is inherited; there are only constants here.
    struct Refused: Error {}
    struct State: ExtensionState {
        var rows: Int
    }
    struct Log: ExtensionLog {
        var lines: [String]
        var size: Int { lines.count * 100 }
    }

    private let tag: String
    private let persistent: Bool
    private let needs: Set<String>
    fileprivate let failOnKey: String?

    init(tag: String = "", isPersistent: Bool = true, needs: Set<String> = [], failOnKey: String? = nil) {
        self.tag = tag
        persistent = isPersistent
        self.needs = needs
        self.failOnKey = failOnKey
        super.init(className: "YapDatabaseSecondaryIndex", classVersion: 1)
    }

    var versionTag: String { tag }
    var isPersistent: Bool { persistent }
    var dependencies: Set<String> { needs }

    func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        State(rows: try transaction.store.countOfAllRows())
    }

    func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        RecordingTransaction(name: name, transaction: transaction, extension: self, state: state as? State)
    }
}

final class RecordingTransaction: YapDatabaseExtensionTransaction, TransactionHooks {
    private let `extension`: RecordingExtension
    private var state: RecordingExtension.State?
    private(set) var lines: [String] = []

    init(
        name: String, transaction: YapDatabaseReadTransaction, extension: RecordingExtension,
        state: RecordingExtension.State?
    ) {
        self.extension = `extension`
        self.state = state
        super.init(name: name, transaction: transaction)
    }

    var rows: Int { state?.rows ?? 0 }

    func register(previous: RegisteredExtension?, progress: Progress?) throws {
        state = .init(rows: try transaction.store.countOfAllRows())
        // A file in which an index has no table is not in order.
        if `extension`.isPersistent {
            let table = Store.quoted("secondaryIndex_\(name)")
            try transaction.store.execute("CREATE TABLE IF NOT EXISTS \(table) (\"rowid\" INTEGER PRIMARY KEY)")
        }
        lines.append("register after \(previous.map { "\($0.versionTag) stale:\($0.isStale)" } ?? "nothing")")
    }

    func didInsert(_ row: ChangedRow) throws {
        if row.key.key == `extension`.failOnKey { throw RecordingExtension.Refused() }
        state?.rows += 1
        lines.append("insert \(row.key)")
    }

    func didUpdate(_ row: ChangedRow) throws {
        lines.append("\(row.isTouch ? "touch" : "update") \(row.key) \(row.flags.rawValue)")
    }

    func didRemove(_ rows: [RemovedRow]) throws {
        state?.rows -= rows.count
        lines.append("remove " + rows.map(\.key.description).joined(separator: " "))
    }

    func didRemoveAll() throws {
        state?.rows = 0
        lines.append("remove all")
    }

    var commitState: (any ExtensionState)? { state }
    var commitLog: (any ExtensionLog)? { lines.isEmpty ? nil : RecordingExtension.Log(lines: lines) }
}

/// An extension that leaves each hook to its default.
final class SilentExtension: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked is inherited; there are no properties.
    init() { super.init(className: "YapDatabaseHooks", classVersion: 1) }
}
