import FileEngine
import Foundation
import PostgreSQLBridge

/// The changes of a transaction, as `yap.push` takes them.
struct Outgoing: Equatable {
    private(set) var collections: [Data?] = []
    private(set) var keys: [Data?] = []
    private(set) var kinds: [Int32] = []
    private(set) var objects: [Data?] = []
    private(set) var metadatas: [Data?] = []
    private(set) var bytes = 0

    var isEmpty: Bool { kinds.isEmpty }

    /// The changes in collections of the space.
    /// - Throws: ``YapDatabaseServerError`` with `tooLarge`.
    init(_ transaction: YapDatabaseReadWriteTransaction, _ wanted: YapDatabaseServerCollections) throws {
        guard transaction.hasChangedRows else { return }
        try transaction.forEachChange(inCollections: wanted.contains) { change in
            switch change {
            case .cleared(let collection): try append(collection, "", .clear)
            case .clearedAll: try appendClearAll(wanted)
            case .removed(let key): try append(key.collection, key.key, .gone)
            case .written(let key, let isNew, let object, let metadata, let bytes):
                var kind = isNew ? PushKind.new : []
                if object { kind.insert(.object) }
                if metadata { kind.insert(.metadata) }
                try append(
                    key.collection, key.key, kind, object: isNew || object ? bytes.object : nil,
                    metadata: isNew || metadata ? bytes.metadata : nil)
            }
        }
    }

    /// What a pending mutation changed when it was applied last, without rows that it wrote with equal bytes.
    /// - Throws: ``YapDatabaseServerError`` with `tooLarge`.
    init(ofMutation number: Int, _ transaction: YapDatabaseReadTransaction) throws {
        for row in try transaction.replacedRows(by: number) {
            switch (row.object, try transaction.result(of: row)) {
            case (nil, nil): continue
            case (_, nil): try append(row.key.collection, row.key.key, .gone)
            case (nil, let bytes?):
                try append(
                    row.key.collection, row.key.key, [.new, .object, .metadata], object: bytes.object,
                    metadata: bytes.metadata)
            case (let object?, let bytes?):
                var kind: PushKind = []
                if object != bytes.object { kind.insert(.object) }
                if row.metadata != bytes.metadata { kind.insert(.metadata) }
                guard !kind.isEmpty else { continue }
                try append(
                    row.key.collection, row.key.key, kind, object: kind.contains(.object) ? bytes.object : nil,
                    metadata: kind.contains(.metadata) ? bytes.metadata : nil)
            }
        }
    }

    private mutating func appendClearAll(_ wanted: YapDatabaseServerCollections) throws {
        switch wanted {
        case .all: try append("", "", .clearAll)
        case .only(let names): for name in names.sorted() { try append(name, "", .clear) }
        case .allExcept:
            throw YapDatabaseServerError(
                .badSpace,
                "A file that has some collections for itself cannot remove all rows of all collections at once. Remove them "
                    + "collection by collection.")
        }
    }

    /// Adds other changes. No row may be in both.
    mutating func append(_ other: Outgoing) {
        collections += other.collections
        keys += other.keys
        kinds += other.kinds
        objects += other.objects
        metadatas += other.metadatas
        bytes += other.bytes
    }

    mutating func append(
        _ collection: String, _ key: String, _ kind: PushKind, object: Data? = nil, metadata: Data? = nil
    ) throws {
        for name in [collection, key] {
            if name.utf8.count > ServerLimits.name {
                throw YapDatabaseServerError(
                    .tooLarge,
                    "A name of \(name.utf8.count) bytes, \"\(name.prefix(20))…\", is too long for a space: keys and collections have at "
                        + "most \(ServerLimits.name) bytes.")
            }
            if name.utf8.contains(0) {
                throw YapDatabaseServerError(
                    .tooLarge,
                    "The name \(name.prefix(20).debugDescription) has a NUL character, which a PostgreSQL server cannot store in a key or a "
                        + "collection.")
            }
        }
        collections.append(Data(collection.utf8))
        keys.append(Data(key.utf8))
        kinds.append(kind.rawValue)
        objects.append(object)
        metadatas.append(metadata)
        bytes += collection.utf8.count + key.utf8.count + (object?.count ?? 0) + (metadata?.count ?? 0) + 32
        guard bytes <= ServerLimits.transaction else {
            throw YapDatabaseServerError(
                .tooLarge,
                "The transaction has more than \(ServerLimits.transaction >> 20) MB of changes, which is the most that a "
                    + "space takes at once. Write in several transactions.")
        }
    }

    func parameters(space: Int, base: SpacePosition?, id: UUID, mode: PushMode) -> [PostgreSQLValue] {
        [
            .int(Int64(space)), .int(Int64(base?.number ?? 0)), base?.commit.map { .uuid($0) } ?? .uuid(Self.none),
            .uuid(id),
            .int(mode.rawValue), .byteArrays(collections), .byteArrays(keys), .ints(kinds), .byteArrays(objects),
            .byteArrays(metadatas),
        ]
    }

    /// Stands for the commit before the first.
    private static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// What gives up an id: afterwards a push with it that is still on its way does nothing.
    static func void(space: Int, id: UUID) -> [PostgreSQLValue] {
        Outgoing().parameters(space: space, base: nil, id: id, mode: .void)
    }

    init() {}
}

/// The third argument of `yap.push`.
enum PushMode: Int64 {
    case serializable = 0
    case rows = 1
    case void = 2

    init(_ mode: YapDatabaseServerMode) { self = mode == .rows ? .rows : .serializable }
}
