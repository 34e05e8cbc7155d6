import Foundation
import SQLiteBridge
import FileEngine

/// The pages of a file as they lie in it and in its log, whatever leads to them.
///
/// Each has its newest copy: that of the log's last complete commit, or the file's. Older copies, and those that SQLite no
/// longer reads because a page of the log before them is damaged, can be had too.
final class FilePages {
    let pageSize: Int
    /// The bytes of a page without those that are reserved for other programs.
    let usable: Int
    /// The number of pages; the last may be cut off.
    let count: Int
    /// The first 100 bytes, if they are those of an SQLite file.
    let header: [UInt8]?

    private let store: Store
    private let log: LogCopies?
    private let fileCount: Int
    /// The bytes of the file that are read at once.
    private static let portion = 1 << 20
    /// The most pages, 16 GB with pages of 4 KB: some bytes of memory are needed for each.
    private static let pageLimit = 4_000_000

    /// - Parameter maxFrames: the pages of the log that belong to the state that is read; nil for all.
    /// - Returns: nil if it is unknown how large a page is, or if there are too many.
    init?(_ store: Store, maxFrames: Int? = nil) {
        self.store = store
        let size = store.handle.fileSize
        let first = store.handle.fileBytes(at: 0, count: 100) ?? []
        header = first.starts(with: Array("SQLite format 3\0".utf8)) ? first : nil
        let log = LogCopies(store.handle.path, maxFrames: maxFrames)
        let decoder = PageDecoders.decoder(of: store.handle.path)
        let stated = decoder?.pageSize ?? header.map { Int($0[16]) << 8 | Int($0[17]) }.map { $0 == 1 ? 65_536 : $0 }
        guard
            let pageSize = [stated, log?.pageSize].lazy.compactMap({ $0 }).first(where: Self.isPageSize)
                ?? Self.probableSize(store.handle, size)
        else { return nil }
        self.pageSize = pageSize
        self.log = log?.pageSize == pageSize ? log : nil
        let statedUsable = pageSize - (decoder?.reserved ?? header.map { Int($0[20]) } ?? 0)
        usable =
            decoder != nil || statedUsable >= 480 && !Self.isFilled(store.handle, pageSize, behind: statedUsable)
            ? statedUsable : pageSize
        fileCount = (size + pageSize - 1) / pageSize
        count = max(fileCount, self.log?.greatestPage ?? 0)
        guard count <= Self.pageLimit else { return nil }
    }

    private static func isPageSize(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }

    /// Whether rows lie in the bytes that the header says are reserved for other programs: then a byte of the header is damaged.
    private static func isFilled(_ handle: SQLiteHandle, _ pageSize: Int, behind usable: Int) -> Bool {
        guard usable < pageSize else { return false }
        let sample = handle.fileBytes(at: 0, count: min(handle.fileSize, 1 << 20)) ?? []
        let tree = TreePages([:], pageSize: pageSize, (0, false))
        return sample.withUnsafeBytes { bytes in
            stride(from: pageSize, to: bytes.count - pageSize + 1, by: pageSize).contains { start in
                let page = UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize])
                guard let leaf = TreePage(page, isFirst: false, usable: pageSize), leaf.kind == .tableLeaf,
                    leaf.cells.count == leaf.count, var place = leaf.cells.max()
                else { return false }
                guard let size = tree.varint(page, &place), tree.varint(page, &place) != nil, size > 0, size < pageSize
                else {
                    return false
                }
                let end = place + tree.local(Int(size), .tableLeaf)
                return end > usable && end <= pageSize
            }
        }
    }

    /// The page size at whose multiples most pages of trees begin. The smallest of those with equally many: a multiple of the right
    /// size finds fewer.
    private static func probableSize(_ handle: SQLiteHandle, _ size: Int) -> Int? {
        let sample = handle.fileBytes(at: 0, count: min(size, 8 << 20)) ?? []
        let found = (9...16).map { power -> (size: Int, count: Int) in
            let size = 1 << power
            let count = sample.withUnsafeBytes { bytes in
                stride(from: size, to: bytes.count - size + 1, by: size).count { place in
                    let page = UnsafeRawBufferPointer(rebasing: bytes[place..<place + size])
                    guard let tree = TreePage(page, isFirst: false, usable: size) else { return false }
                    return tree.kind == .tableLeaf && tree.count > 0 && tree.cells.count == tree.count
                }
            }
            return (size, count)
        }
        return found.max { ($0.count, -$0.size) < ($1.count, -$1.size) }.flatMap { $0.count > 0 ? $0.size : nil }
    }

    /// Whether the file has a pointer map.
    var hasPointerMap: Bool { header.map { $0.withUnsafeBytes { $0.bigEndian32(at: 52) != 0 } } ?? false }

    /// Returns the newest copy of a page.
    func page(_ number: Int) -> [UInt8]? {
        guard number > 0, number <= count else { return nil }
        return log?.newest(number) ?? filePage(number)
    }

    /// Whether the newest copy of a page cannot be read.
    func isDamaged(_ number: Int) -> Bool {
        log?.hasNewest(number) == true ? log?.newest(number) == nil : number <= fileCount && filePage(number) == nil
    }

    /// Returns the other copies of a page, the newest first.
    func olderCopies(of number: Int) -> [[UInt8]] {
        guard let log else { return [] }
        return log.others(number) + (log.hasNewest(number) ? [filePage(number)].compactMap(\.self) : [])
    }

    /// The pages that have several copies in the log, or one that replaces the copy in the file.
    var pagesWithOlderCopies: [Int] { log?.pages ?? [] }

    private func filePage(_ number: Int) -> [UInt8]? {
        number <= fileCount ? store.handle.fileBytes(at: (number - 1) * pageSize, count: pageSize) : nil
    }

    /// Calls a closure with the newest copy of each page, in the order of their numbers.
    func forEach(
        isCancelled: () -> Bool, _ body: (Int, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let step = max(1, Self.portion / pageSize)
        for first in stride(from: 1, through: count, by: step) {
            if isCancelled() { throw YapDatabaseError(.interrupted, "The reading of the pages was stopped.") }
            let number = min(step, fileCount - first + 1)
            let bytes =
                number > 0 ? store.handle.fileBytes(at: (first - 1) * pageSize, count: number * pageSize) ?? [] : []
            for page in first..<min(first + step, count + 1) {
                if let newest = log?.newest(page) {
                    try newest.withUnsafeBytes { try body(page, $0) }
                } else if (page - first + 1) * pageSize <= bytes.count {
                    try bytes.withUnsafeBytes {
                        let start = (page - first) * pageSize
                        try body(page, UnsafeRawBufferPointer(rebasing: $0[start..<start + pageSize]))
                    }
                }
            }
        }
    }
}
