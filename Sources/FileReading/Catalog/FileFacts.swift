import SQLiteBridge
import FileEngine

/// What is to be said of the file as such.
package struct FileFacts: Hashable, Sendable {
    /// Bytes.
    package var size = 0
    /// Bytes of the write-ahead log, 0 where there is none.
    package var logSize = 0
    /// Bytes.
    package var pageSize = 0
    package var pages = 0
    package var freePages = 0
    /// The number of the last commit.
    package var snapshot: Int?
    package var userVersion = 0
    package var applicationID = 0
    /// Such as `UTF-8`.
    package var encoding = ""

    init(_ store: Store, _ snapshot: FileSnapshot) throws {
        let file = FileState(snapshot.path)
        size = file.fileSize
        logSize = file.logSize
        func pragma(_ name: String) throws -> Int { try store.first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }
        pageSize = try pragma("page_size")
        pages = try pragma("page_count")
        freePages = try pragma("freelist_count")
        applicationID = try pragma("application_id")
        encoding = try store.first("PRAGMA encoding") { $0.text(at: 0) ?? "" } ?? ""
        userVersion = snapshot.schema.userVersion
        self.snapshot = snapshot.number
    }
}
