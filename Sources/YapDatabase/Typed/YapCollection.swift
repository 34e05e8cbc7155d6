import Foundation
import ListChanges

/// A collection whose rows are values of one type.
///
/// ```swift
/// struct Book: Codable, Sendable, Identifiable {
///     var id: String
///     var title: String
///     var genre: String
/// }
/// let books = YapCollection("books", of: Book.self)
///
/// try connection.readWrite { transaction in
///     try transaction[books].save(Book(id: "dune", title: "Dune", genre: "sci-fi"))
///     let dune: Book? = try transaction[books]["dune"]
///     print(dune?.title ?? "")
/// }
/// ```
///
/// A collection is a value: declare it once, as a constant, and use it with any database. It need not be registered. Lists and indexes read their
/// collection as the type that they are declared with; if they are declared with several, as the one that was registered last. A collection of
/// the same name with another type, for example of fewer properties, reads the rows as that type. If it saves a row that cannot be decoded as the
/// declared type, these lists and indexes leave the row out, and it is reported. A transaction that uses both types reads cached rows again.
///
/// The first use in a database makes `Codable` the encoding of the collection's rows there. The rows are stored as by
/// ``YapDatabase/registerCodableSerialization(_:forCollection:as:)``, so programs without typed collections read and write them too.
public struct YapCollection<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: Sendable {
    private let declaration: Declaration

    /// A class, so that copying a collection copies one reference: every access to rows makes a copy.
    private final class Declaration: Sendable {
        let name: String
        /// The format of the values.
        let format: YapDatabaseCodableFormat
        /// The format of the metadata, which have no versions.
        let plainFormat: YapDatabaseCodableFormat
        let versions: ValueVersions
        let shape: String?
        let key: @Sendable (Value) -> Key

        init(
            name: String, format: YapDatabaseCodableFormat, versions: ValueVersions, shape: String?,
            key: @escaping @Sendable (Value) -> Key
        ) {
            (self.name, self.versions, self.shape, self.key) = (name, versions, shape, key)
            (self.format, plainFormat) = (format.with(versions), format)
        }
    }

    private init(
        _ name: String, _ version: Int, _ migrations: [YapMigration], _ format: YapDatabaseCodableFormat,
        _ key: @escaping @Sendable (Value) -> Key
    ) {
        let versions = ValueVersions(of: Value.self, current: version, migrations, format, in: name)
        let shape = version == 1 ? nil : "version \(version)"
        declaration = Declaration(name: name, format: format, versions: versions, shape: shape, key: key)
    }

    /// A collection that the library keeps, of values that hold copies of others.
    /// - Parameter shape: that of the others.
    init(
        derived name: String, of type: Value.Type, shape: String?, _ key: @escaping @Sendable (Value) -> Key
    ) {
        let format = YapDatabaseCodableFormat.propertyList
        declaration = Declaration(
            name: name, format: format, versions: ValueVersions(of: type, current: 1, [], format, in: name),
            shape: shape, key: key)
    }

    /// Says which version of its type the values have, and those of which they hold copies; nil if it is the first of all.
    var shape: String? { declaration.shape }

    /// The name of the collection in the file.
    public var name: String { declaration.name }

    /// The key under which a value is stored.
    ///
    /// ```swift
    /// print(books.key(of: Book(id: "dune", title: "Dune")))   // "dune"
    /// ```
    public func key(of value: Value) -> Key { declaration.key(value) }

    /// How values are stored.
    var format: YapDatabaseCodableFormat { declaration.format }

    /// The bytes as which a value is stored.
    func encoded(_ value: Value) throws -> Data { try declaration.format.encode(value) }

    func rowKey(_ key: Key) -> RowKey { RowKey(collection: name, key: key.storedKey) }

    /// - Throws: ``YapDatabaseError`` with `decodingFailed` if the text is no key of the collection's type.
    func key(of rowKey: RowKey) throws -> Key {
        if let key = Key.key(stored: rowKey.key) { return key }
        throw YapDatabaseError(
            .decodingFailed,
            "The key of \(rowKey) is no \(Key.self), but the collection is declared with such keys. Another program wrote the row."
        )
    }
}

extension YapCollection where Metadata == Never {
    /// A collection of values that are stored under their `id`.
    ///
    /// - Parameters:
    ///   - name: the name of the collection in the file.
    ///   - type: the type of the values.
    ///   - version: which version of the type this program writes. Raise it when values that are stored could not be read any more.
    ///   - migrations: how values of older versions become those of the next, in any order.
    ///   - format: how values are stored; binary property lists, like the original, by default.
    public init(
        _ name: String, of type: Value.Type, version: Int = 1, migrating migrations: YapMigration...,
        as format: YapDatabaseCodableFormat = .propertyList
    ) where Value: Identifiable, Value.ID == Key {
        self.init(name, version, migrations, format) { $0.id }
    }

    /// A collection of values that are stored under a key of their own.
    ///
    /// The closure is called on any thread.
    ///
    /// ```swift
    /// struct Reading: Codable, Sendable {
    ///     var sensor: Int
    ///     var value: Double
    /// }
    /// let readings = YapCollection("readings", of: Reading.self, as: .json) { $0.sensor }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the collection in the file.
    ///   - type: the type of the values.
    ///   - version: which version of the type this program writes. Raise it when values that are stored could not be read any more.
    ///   - migrations: how values of older versions become those of the next, in any order.
    ///   - format: how values are stored; binary property lists, like the original, by default.
    ///   - key: returns a value's key; always the same for values that are the same row.
    public init(
        _ name: String, of type: Value.Type, version: Int = 1, migrating migrations: YapMigration...,
        as format: YapDatabaseCodableFormat = .propertyList, key: @escaping @Sendable (Value) -> Key
    ) {
        self.init(name, version, migrations, format, key)
    }
}

extension YapCollection {
    /// A collection of values that are stored under their `id`, with metadata beside them.
    ///
    /// ```swift
    /// let books = YapCollection("books", of: Book.self, metadata: Date.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the collection in the file.
    ///   - type: the type of the values.
    ///   - metadata: the type of the metadata.
    ///   - version: which version of the type this program writes. Raise it when values that are stored could not be read any more.
    ///   - migrations: how values of older versions become those of the next, in any order.
    ///   - format: how values are stored; binary property lists, like the original, by default.
    public init(
        _ name: String, of type: Value.Type, metadata: Metadata.Type, version: Int = 1,
        migrating migrations: YapMigration..., as format: YapDatabaseCodableFormat = .propertyList
    ) where Value: Identifiable, Value.ID == Key {
        self.init(name, version, migrations, format) { $0.id }
    }

    /// A collection of values that are stored under a key of their own, with metadata beside them.
    /// - Parameters:
    ///   - name: the name of the collection in the file.
    ///   - type: the type of the values.
    ///   - metadata: the type of the metadata.
    ///   - version: which version of the type this program writes. Raise it when values that are stored could not be read any more.
    ///   - migrations: how values of older versions become those of the next, in any order.
    ///   - format: how values are stored; binary property lists, like the original, by default.
    ///   - key: returns a value's key, always the same for values that are the same row. Called on any thread.
    public init(
        _ name: String, of type: Value.Type, metadata: Metadata.Type, version: Int = 1,
        migrating migrations: YapMigration..., as format: YapDatabaseCodableFormat = .propertyList,
        key: @escaping @Sendable (Value) -> Key
    ) {
        self.init(name, version, migrations, format, key)
    }
}

// MARK: The encoding

extension YapCollection {
    /// Makes `Codable` the encoding of the collection, also for what is registered over it.
    package func use(in database: YapDatabase) {
        database.codingTable.withLock {
            adopt(&$0)
            $0.keepForExtensions(name)
        }
    }

    /// Makes `Codable` the encoding of the collection, unless lists and indexes read it as another type.
    /// - Returns: whether they do.
    private func isOther(in database: YapDatabase) -> Bool {
        database.codingTable.withLock { table in
            if table.isReadByExtensions(name), table.declaredCoding(of: name) != nil, !isAdopted(by: table) {
                return true
            }
            adopt(&table)
            return false
        }
    }

    /// Makes `Codable` the encoding also in a running transaction, which uses the codings that the database had when it began. Every typed access
    /// to rows calls this first.
    package func use(in transaction: YapDatabaseReadTransaction) {
        transaction.updateDerivedRows(of: name)
        if transaction.lastDeclared === declaration { return }
        if !isAdopted(by: transaction.codings) {
            if isOther(in: transaction.connection.database) {
                transaction.leaveCodingsOfExtensions()
            } else {
                transaction.useCodingsOfExtensions()
            }
            adopt(&transaction.codings)
            transaction.lastCoding = nil
            transaction.connection.caches.removeAll()
        }
        transaction.lastDeclared = declaration
        transaction.lastDeclaredCoding = transaction.codings.declaredCoding(of: name)
    }

    private func adopt(_ codings: inout CodingTable) {
        guard !isAdopted(by: codings) else { return }
        codings.declare(Value.self, declaration.format, in: name)
        if Metadata.self != Never.self {
            codings.change(.metadata, name) { $0.setCodable(Metadata.self, declaration.plainFormat) }
        }
    }

    private func isAdopted(by codings: CodingTable) -> Bool {
        guard let coding = codings.declaredCoding(of: name), coding.type == ObjectIdentifier(Value.self) else {
            return false
        }
        return coding.format.versions?.signature == declaration.versions.signature
    }
}
