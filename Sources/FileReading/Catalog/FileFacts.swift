import SQLiteBridge
import FileEngine

/// Facts about the file as a whole.
package struct FileFacts: Hashable, Sendable {
    /// In bytes.
    package var size = 0
    /// The size of the write-ahead log in bytes, 0 if there is none.
    package var logSize = 0
    /// In bytes.
    package var pageSize = 0
    package var pages = 0
    package var freePages = 0
    /// The number of the last commit.
    package var snapshot: Int?
    package var userVersion = 0
    package var applicationID = 0
    /// For example `UTF-8`.
    package var encoding = ""
    /// The space on a server that the file follows.
    package var followed: FollowedSpace?

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
        followed = FollowedSpace(store)
    }
}
