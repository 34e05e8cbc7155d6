import Foundation
import ListChanges

/// Returns the bytes that are stored for the file of an edge; nil if there are none, which fails the transaction.
public typealias YapDatabaseRelationshipFileURLSerializer = @Sendable (YapDatabaseRelationshipEdge) -> Data?
/// Returns the file that stored bytes name; nil if they cannot be read. The edge has all but its destination.
public typealias YapDatabaseRelationshipFileURLDeserializer = @Sendable (YapDatabaseRelationshipEdge, Data) -> URL?
/// Returns the file that an edge of a release before 2.8 names, by its path or by an app's own bytes.
public typealias YapDatabaseRelationshipMigration = @Sendable (_ filePath: String?, _ data: Data?) -> URL?

/// Options of a relationship. It copies its options when it is created.
public final class YapDatabaseRelationshipOptions {
    /// Whether only edges count that are added by hand. Initially false.
    public var disableYapDatabaseRelationshipNodeProtocol = false

    /// The collections whose objects are asked for edges; nil for all. Objects of others are not decoded.
    public var allowedCollections: YapWhitelistBlacklist?

    /// Initially ``defaultFileURLSerializer()``.
    public var fileURLSerializer = YapDatabaseRelationshipOptions.defaultFileURLSerializer() {
        didSet { storesPaths = false }
    }

    /// Initially ``defaultFileURLDeserializer()``.
    public var fileURLDeserializer = YapDatabaseRelationshipOptions.defaultFileURLDeserializer() {
        didSet { storesPaths = false }
    }

    /// Initially ``defaultMigration()``.
    public var migration = YapDatabaseRelationshipOptions.defaultMigration()

    /// Whether a rule may delete a file. Initially every file to which an edge leads.
    ///
    /// The locations come from the database file: a program that opens files of others should permit only those in its own
    /// folder. A file that may not be deleted stays where it is.
    public var mayDeleteFile: @Sendable (URL) -> Bool = { _ in true }

    /// The edges that a ``YapRelation`` declares; nil where objects name their own.
    var declared: DeclaredEdges?

    /// Whether equal files have equal bytes, so that an index finds them.
    private(set) var storesPaths = true

    /// Creates options with the defaults.
    public init() {}

    /// Stores the URL as text, such as `file:///tmp/a.txt`. A file that moves is not found again; bookmarks, which the
    /// original stores, exist on Apple's systems only.
    public static func defaultFileURLSerializer() -> YapDatabaseRelationshipFileURLSerializer {
        { edge in edge.destinationFileURL.flatMap { $0.isFileURL ? Data($0.absoluteString.utf8) : nil } }
    }

    /// Reads what ``defaultFileURLSerializer()`` stores. Bookmarks of the original are kept as they are, and name no file.
    public static func defaultFileURLDeserializer() -> YapDatabaseRelationshipFileURLDeserializer {
        { _, data in
            guard data.starts(with: Data("file:".utf8)), let text = String(data: data, encoding: .utf8),
                let url = URL(string: text), url.isFileURL
            else { return nil }
            return url
        }
    }

    /// Takes a path as it is. Bytes, which only the app can decrypt, name no file.
    public static func defaultMigration() -> YapDatabaseRelationshipMigration {
        { path, _ in path.map { URL(fileURLWithPath: $0) } }
    }

    func copy() -> YapDatabaseRelationshipOptions {
        let copy = YapDatabaseRelationshipOptions()
        copy.disableYapDatabaseRelationshipNodeProtocol = disableYapDatabaseRelationshipNodeProtocol
        copy.allowedCollections = allowedCollections
        copy.fileURLSerializer = fileURLSerializer
        copy.fileURLDeserializer = fileURLDeserializer
        copy.migration = migration
        copy.mayDeleteFile = mayDeleteFile
        copy.storesPaths = storesPaths
        copy.declared = declared
        return copy
    }

    func isAllowed(_ key: RowKey) -> Bool {
        !disableYapDatabaseRelationshipNodeProtocol && allowedCollections?.isAllowed(key.collection) ?? true
    }
}
