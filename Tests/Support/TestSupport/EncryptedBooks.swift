import Foundation

/// `books.sqlite`, encrypted by SQLCipher itself: Tests/Files/encrypted.
public struct EncryptedBooks: Sendable {
    public let name: String
    public let key: String
    /// For `--cipher`.
    public var settings = ""
    public let pageSize: Int
    public var hasCodes = true
    /// Whether a row is deleted in its log.
    public var hasLog = false

    public static let rawKey =
        "x'2dd29ca851e7b56e4697b0e1f08507293d761a05ce4d1b628663f411a8086d990123456789abcdef0123456789abcdef'"

    public static let all = [
        EncryptedBooks(name: "books-v4", key: "correct horse", pageSize: 4_096),
        EncryptedBooks(name: "books-v4-log", key: "correct horse", pageSize: 4_096, hasLog: true),
        EncryptedBooks(name: "books-v4-4000", key: "correct horse", settings: "kdf_iter=4000", pageSize: 8_192),
        EncryptedBooks(name: "books-v3", key: "correct horse", pageSize: 1_024),
        EncryptedBooks(name: "books-v2", key: "correct horse", pageSize: 1_024),
        EncryptedBooks(name: "books-v1", key: "correct horse", pageSize: 1_024, hasCodes: false),
        EncryptedBooks(
            name: "books-sha256", key: "correct horse", settings: "kdf_iter=1000,cipher_kdf_algorithm=SHA256",
            pageSize: 16_384),
        EncryptedBooks(name: "books-header", key: rawKey, pageSize: 4_096),
    ]

    public static func named(_ name: String) -> EncryptedBooks { all.first { $0.name == name }! }

    /// Runs a test with a copy of the file, and its log, in a new folder.
    public func withCopy<Value>(_ body: (URL) throws -> Value) throws -> Value {
        try withTemporaryFolder { folder in
            for suffix in ["", "-wal"] {
                let source = repository.appending(path: "Tests/Files/encrypted/\(name).sqlite\(suffix)")
                guard FileManager.default.fileExists(atPath: source.path) else { continue }
                try FileManager.default.copyItem(at: source, to: folder.appending(path: "\(name).sqlite\(suffix)"))
            }
            return try body(folder.appending(path: "\(name).sqlite"))
        }
    }
}
