import Foundation
import ListChanges

@testable import FileEngine
@testable import YapDatabase

/// An extension that writes down what it hears, as text, and keeps the number of rows that it knows of as its state.
final class RecordingExtension: YapDatabaseExtension, @unchecked Sendable {
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

    override var versionTag: String { tag }
    override var isPersistent: Bool { persistent }
    override var dependencies: Set<String> { needs }

    override func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        State(rows: try transaction.store.countOfAllRows())
    }

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        RecordingTransaction(name: name, transaction: transaction, extension: self, state: state as? State)
    }
}

final class RecordingTransaction: YapDatabaseExtensionTransaction {
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

    override func register(previous: RegisteredExtension?, progress: Progress?) throws {
        state = .init(rows: try transaction.store.countOfAllRows())
        // A file in which an index has no table is not in order.
        if `extension`.isPersistent {
            let table = Store.quoted("secondaryIndex_\(name)")
            try transaction.store.execute("CREATE TABLE IF NOT EXISTS \(table) (\"rowid\" INTEGER PRIMARY KEY)")
        }
        lines.append("register after \(previous.map { "\($0.versionTag) stale:\($0.isStale)" } ?? "nothing")")
    }

    override func didInsert(_ row: ChangedRow) throws {
        if row.key.key == `extension`.failOnKey { throw RecordingExtension.Refused() }
        state?.rows += 1
        lines.append("insert \(row.key)")
    }

    override func didUpdate(_ row: ChangedRow) throws {
        lines.append("\(row.isTouch ? "touch" : "update") \(row.key) \(row.flags.rawValue)")
    }

    override func didRemove(_ rows: [RemovedRow]) throws {
        state?.rows -= rows.count
        lines.append("remove " + rows.map(\.key.description).joined(separator: " "))
    }

    override func didRemoveAll() throws {
        state?.rows = 0
        lines.append("remove all")
    }

    override var commitState: (any ExtensionState)? { state }
    override var commitLog: (any ExtensionLog)? { lines.isEmpty ? nil : RecordingExtension.Log(lines: lines) }
}
