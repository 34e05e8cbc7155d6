import FileEngine
import SQLiteBridge

/// A name or key as stored in the file: text whose bytes need not be UTF-8, or a blob.
///
/// Comparing and searching use the bytes, so that a name that cannot be shown can still be found.
package struct StoredText: Hashable, Sendable {
    package var bytes: [UInt8]
    package var isBlob = false

    package init(_ text: String) { bytes = Array(text.utf8) }

    init(_ bytes: [UInt8], isBlob: Bool) { (self.bytes, self.isBlob) = (bytes, isBlob) }

    init(_ statement: SQLiteStatement, at column: Int) {
        bytes = statement.bytes(at: column)
        isBlob = statement.type(at: column) == .blob
    }

    func bind(to statement: SQLiteStatement, at index: Int) throws {
        if isBlob { try statement.bind(bytes, at: index) } else { try statement.bind(textBytes: bytes, at: index) }
    }

    /// The text for display; invalid UTF-8 becomes U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension StoredText {
    /// The name of the collection that has the rows which a list or a join derives.
    package init(derivedBy name: String) { self.init(RowTable.derivedMark + name) }

    /// The extension that derives the rows of the collection with this name; nil if programs write them.
    package var derivingExtension: String? { RowTable.derivingExtension(ofCollection: text) }
}

extension StoredText: CustomStringConvertible {
    package var description: String { text }
}

extension StoredText: Comparable {
    /// The order of SQLite's index in a UTF-8 file: by bytes, with blobs after all texts.
    package static func < (a: StoredText, b: StoredText) -> Bool {
        guard a.isBlob == b.isBlob else { return b.isBlob }
        return a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}
