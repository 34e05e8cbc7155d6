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
/// A value: declare it once, as a constant, and use it with any database. Nothing is registered: the first use in a database makes
/// `Codable` the encoding of the collection's rows there. The rows are those that
/// ``YapDatabase/registerCodableSerialization(_:forCollection:as:)`` gives, so programs without types read and write them too.
public struct YapCollection<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: Sendable {
    private let declaration: Declaration

    /// A class, so that a copy costs one reference: every access to rows makes one.
    private final class Declaration: Sendable {
        let name: String
        let format: YapDatabaseCodableFormat
        let key: @Sendable (Value) -> Key

        init(name: String, format: YapDatabaseCodableFormat, key: @escaping @Sendable (Value) -> Key) {
            (self.name, self.format, self.key) = (name, format, key)
        }
    }

    init(name: String, format: YapDatabaseCodableFormat, key: @escaping @Sendable (Value) -> Key) {
        declaration = Declaration(name: name, format: format, key: key)
    }

    /// The name of the collection in the file.
    public var name: String { declaration.name }

    /// The key under which a value is stored.
    ///
    /// ```swift
    /// print(books.key(of: Book(id: "dune", title: "Dune")))   // "dune"
    /// ```
    public func key(of value: Value) -> Key { declaration.key(value) }

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
    /// - Parameter format: how values are stored; binary property lists, like the original, by default.
    public init(_ name: String, of type: Value.Type, as format: YapDatabaseCodableFormat = .propertyList)
    where Value: Identifiable, Value.ID == Key {
        self.init(name: name, format: format) { $0.id }
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
    /// - Parameter key: returns a value's key; always the same for values that are the same row.
    public init(
        _ name: String, of type: Value.Type, as format: YapDatabaseCodableFormat = .propertyList,
        key: @escaping @Sendable (Value) -> Key
    ) {
        self.init(name: name, format: format, key: key)
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
    ///   - format: how values are stored; binary property lists, like the original, by default.
    public init(
        _ name: String, of type: Value.Type, metadata: Metadata.Type,
        as format: YapDatabaseCodableFormat = .propertyList
    ) where Value: Identifiable, Value.ID == Key {
        self.init(name: name, format: format) { $0.id }
    }

    /// A collection of values that are stored under a key of their own, with metadata beside them.
    /// - Parameters:
    ///   - name: the name of the collection in the file.
    ///   - type: the type of the values.
    ///   - metadata: the type of the metadata.
    ///   - format: how values are stored; binary property lists, like the original, by default.
    ///   - key: returns a value's key, always the same for values that are the same row. Called on any thread.
    public init(
        _ name: String, of type: Value.Type, metadata: Metadata.Type,
        as format: YapDatabaseCodableFormat = .propertyList, key: @escaping @Sendable (Value) -> Key
    ) {
        self.init(name: name, format: format, key: key)
    }
}

// MARK: The encoding

extension YapCollection {
    /// Makes `Codable` the encoding of the collection, unless it is already.
    package func use(in database: YapDatabase) {
        database.codingTable.withLock { adopt(&$0) }
    }

    /// The same for a transaction, which has taken its codings at its beginning.
    package func use(in transaction: YapDatabaseReadTransaction) {
        if transaction.lastDeclared === declaration { return }
        let type = ObjectIdentifier(Value.self)
        if transaction.codings.declaredCoding(of: name)?.type != type {
            use(in: transaction.connection.database)
            adopt(&transaction.codings)
            transaction.lastCoding = nil
            transaction.connection.caches.removeAll()
        }
        transaction.lastDeclared = declaration
        transaction.lastDeclaredCoding = transaction.codings.declaredCoding(of: name)
    }

    private func adopt(_ codings: inout CodingTable) {
        guard codings.declaredCoding(of: name)?.type != ObjectIdentifier(Value.self) else { return }
        let format = declaration.format
        codings.declare(Value.self, format, in: name)
        if Metadata.self != Never.self { codings.change(.metadata, name) { $0.setCodable(Metadata.self, format) } }
    }
}
