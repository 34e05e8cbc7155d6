import Foundation

/// Finds the table of the rows in a file whose schema no longer says where it begins.
///
/// A walk over all pages collects those of table trees. A page that no other one refers to is the root of a tree, or is
/// no longer used. The rows' tree is the largest one with records of the right shape: no value for the rowid, two texts, two
/// values. Pages that only the log has are not found.
///
/// Only for files that are read without locks: closing the file here releases every lock that the process has on it.
struct LostRowTable {
    /// The most pages to walk over, 16 GB with pages of 4 KB; memory is 5 bytes a page.
    private static let pageLimit = 4_000_000
    /// The cells of a leaf whose shape is examined.
    private static let sample = 8
    /// The bytes of the file that are read at once.
    private static let portion = 4 << 20

    private let file: FileHandle
    private let pageSize: Int
    private let usable: Int
    private let pages: Int
    /// For each page the one that refers to it; 0 for none.
    private var parents: [UInt32]
    private var isLeaf: [Bool]

    /// Returns the first page of the rows' tree; nil if no tree has the shape of it. Reads the whole file.
    static func root(_ path: String) -> Int? {
        guard var search = LostRowTable(path) else { return nil }
        return search.run()
    }

    /// Whether a page can be the root of a table, as far as its number and kind tell. A page whose kind is damaged can be.
    static func mayBeRoot(_ page: Int, _ path: String) -> Bool {
        guard let search = LostRowTable(path, isWalk: false), page > 1, page <= search.pages else { return false }
        switch search.read(page, count: 1).flatMap({ TreePages.Kind(rawValue: $0[0]) }) {
        case .indexLeaf, .indexInside: return false
        case .tableLeaf, .tableInside, nil: return true
        }
    }

    private init?(_ path: String, isWalk: Bool = true) {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 100),
            header.count == 100, let size = try? file.seekToEnd()
        else { return nil }
        let stated = Int(header[16]) << 8 | Int(header[17])
        pageSize = stated == 1 ? 65_536 : stated
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        usable = pageSize - Int(header[20])
        pages = Int(size) / pageSize
        guard usable >= 480, pages <= Self.pageLimit else { return nil }
        self.file = file
        parents = Array(repeating: 0, count: isWalk ? pages + 1 : 0)
        isLeaf = Array(repeating: false, count: isWalk ? pages + 1 : 0)
    }

    private mutating func run() -> Int? {
        let step = max(1, Self.portion / pageSize)
        for first in stride(from: 1, through: pages, by: step) {
            guard let bytes = read(first, count: min(step, pages - first + 1)) else { continue }
            bytes.withUnsafeBytes { bytes in
                for place in 0..<bytes.count / pageSize where first + place > 1 {
                    let page = UnsafeRawBufferPointer(rebasing: bytes[place * pageSize..<(place + 1) * pageSize])
                    note(page, first + place)
                }
            }
        }
        var leaves: [Int: Int] = [:]
        for page in isLeaf.indices where isLeaf[page] { leaves[root(above: page), default: 0] += 1 }
        let candidates = leaves.sorted { ($0.value, -$0.key) > ($1.value, -$1.key) }
        return candidates.first { hasShape($0.key) }?.key
    }

    private mutating func note(_ page: UnsafeRawBufferPointer, _ number: Int) {
        let count = page.bigEndian16(at: 3)
        switch TreePages.Kind(rawValue: page[0]) {
        case .tableLeaf: isLeaf[number] = count > 0 && 8 + 2 * count <= usable
        case .tableInside:
            guard 12 + 2 * count <= usable else { return }
            let cells = (0..<count).map { page.bigEndian16(at: 12 + 2 * $0) }.filter { $0 + 4 <= usable }
            for child in cells.map({ page.bigEndian32(at: $0) }) + [page.bigEndian32(at: 8)]
            where child > 1 && child <= pages && Int(child) != number {
                parents[Int(child)] = UInt32(number)
            }
        default: break
        }
    }

    /// Returns the page at which the tree begins. SQLite's trees have at most 20 levels; damaged ones may form a circle.
    private func root(above page: Int) -> Int {
        var page = page
        for _ in 0..<20 where parents[page] != 0 { page = Int(parents[page]) }
        return page
    }

    /// Whether the first rows below a page look like rows of the table.
    private func hasShape(_ root: Int) -> Bool {
        var page = root
        for _ in 0..<20 {
            guard page > 1, page <= pages, let bytes = read(page, count: 1) else { return false }
            switch TreePages.Kind(rawValue: bytes[0]) {
            case .tableLeaf: return bytes.withUnsafeBytes(looksLikeRows)
            case .tableInside: page = bytes.withUnsafeBytes { Int($0.bigEndian32(at: 8)) }
            default: return false
            }
        }
        return false
    }

    private func looksLikeRows(_ page: UnsafeRawBufferPointer) -> Bool {
        let count = page.bigEndian16(at: 3)
        guard count > 0, 8 + 2 * count <= usable else { return false }
        let tree = TreePages([:], pageSize: pageSize, (pageSize - usable, false))
        return (0..<min(count, Self.sample)).allSatisfy { cell in
            var place = page.bigEndian16(at: 8 + 2 * cell)
            guard tree.varint(page, &place) != nil, tree.varint(page, &place) != nil else { return false }
            let start = place
            guard let head = tree.varint(page, &place), (6...46).contains(head) else { return false }
            var types: [Int64] = []
            while place < start + Int(head), types.count < 6 {
                guard let type = tree.varint(page, &place) else { return false }
                types.append(type)
            }
            return types.count == 5 && types[0] == 0 && types[1...2].allSatisfy { $0 >= 13 && !$0.isMultiple(of: 2) }
        }
    }

    private func read(_ page: Int, count: Int) -> [UInt8]? {
        guard (try? file.seek(toOffset: UInt64((page - 1) * pageSize))) != nil,
            let data = try? file.read(upToCount: count * pageSize), data.count == count * pageSize
        else { return nil }
        return [UInt8](data)
    }
}
