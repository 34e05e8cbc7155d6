import SQLiteBridge
import FileEngine

/// How large the file may become: many times the lines that were read, and no more. What a generated column or an index over
/// an expression makes of a short line would otherwise fill the disk.
struct ImportRoom {
    private static let start = 64 << 20
    private static let factor = 100
    /// For a table and what SQLite makes with it.
    private static let bytesOfItem = 256 << 10

    static let error = ImportError("the file would become more than \(factor) times as large as its lines")

    private let store: Store
    private var bytes = 0
    private var granted = 0

    init(_ store: Store) { self.store = store }

    mutating func grow(by count: Int, items: Int) throws {
        bytes += count
        let room = Self.start + bytes * Self.factor + items * Self.bytesOfItem
        guard granted == 0 || room > granted / 2 * 3 else { return }
        granted = room
        let pageSize = try store.first("PRAGMA page_size") { max(512, Int($0.int64(at: 0))) } ?? 512
        _ = try store.first("PRAGMA max_page_count = \(min(room / pageSize, Self.maxPages))") { $0.int64(at: 0) }
    }

    private static let maxPages = Int(UInt32.max) - 2

    /// Whether there is room on the disk, so that it was this limit that was reached.
    static func isLeft(beside path: String) -> Bool { freeRoom(at: path) > UInt64(start) }
}
