import FileEngine
import ListChanges
import ViewPageKeys

/// The pages of a view in their order, with the number of rows of each, as one value that is read at once: from it a state is made
/// without reading the page table.
///
/// Its bytes are not trusted. What ``init(_:)`` accepts is consistent in itself: no access to it can fail. Whether
/// the pages are as it says shows when they are read.
///
/// The bytes, all numbers little-endian except those of the names:
///
///     4  format, 2                        4  number of pages, n          4  number of groups, g
///     4  bytes of the groups' names       8  greatest rowid of the page table
///     8  checksum of the bytes before and after it
///     16 n  names: the UUIDs of the pages, ascending
///     4 n   ranks: for each page in the order of the list, the index of its name
///     2 n   counts: for each page in the order of the list, its rows
///     4 n   records: for each page in the order of the list, the rowid of its record, 0 if it is not known
///     4 n   firsts: for each page in the order of the list, its first row, 0 if it is not known
///     8 g   groups: pages of each, bytes of its name
///           the names of the groups, one after the other
///
/// Memory: 30 bytes a page, 4 more once a page is looked up by its name, and 8 bytes and the name for each group. A group's name becomes a text when
/// it is asked for.
final class PageSummary: Sendable {
    struct Group: Sendable {
        let name: String
        /// The places of its pages in the list.
        let pages: Range<Int>
    }

    /// The number of pages.
    let count: Int
    private let groupTable: PageSummaryGroupTable
    private let bytes: [UInt8]
    /// The place in the list of each name, made when it is needed first.
    private let places = LazyReference<Places>()

    private final class Places: Sendable {
        let all: [UInt32]

        init(_ all: [UInt32]) { self.all = all }
    }

    static let format: UInt32 = 2
    static let headerSize = 32
    static let checksumOffset = 24
    /// Bytes of a page.
    static let pageSize = 16 + 4 + 2 + 4 + 4
    /// The most pages: their names alone would be as large as the largest value of SQLite.
    static let pageLimit = 1 << 26

    /// Nil if the bytes are no summary.
    init?(_ bytes: [UInt8]) {
        guard let header = Header(bytes, size: bytes.count),
            bytes.withUnsafeBytes({ PageSummary.checksum($0) }) == header.checksum
        else { return nil }
        let layout = Layout(pages: header.pages, groups: header.groups)
        guard let groupTable = bytes.withUnsafeBytes({ PageSummaryGroupTable($0, layout) }),
            bytes.withUnsafeBytes({ Self.hasAscendingNames($0, layout) && Self.hasEachRank($0, layout) })
        else { return nil }
        (self.bytes, self.groupTable) = (bytes, groupTable)
        count = header.pages
    }

    /// The number of pages, if the first bytes are those of a summary of this size, of a page table with this greatest rowid.
    static func pages(ofHeader start: [UInt8], size: Int, greatestRowid: Int64) -> Int? {
        Header(start, size: size).flatMap { $0.greatestRowid == greatestRowid ? $0.pages : nil }
    }

    /// The name of the page at a place of the list.
    func name(at place: Int) -> PageName {
        bytes.withUnsafeBytes { bytes in
            let rank = Int(bytes.number(Layout.ranks(count) + 4 * place, UInt32.self))
            return bytes.name(Self.headerSize + 16 * rank)
        }
    }

    /// The rows of the page at a place of the list.
    func rows(at place: Int) -> Int {
        bytes.withUnsafeBytes { Int($0.number(Layout.counts(count) + 2 * place, UInt16.self)) }
    }

    /// The rowid of the record of the page at a place of the list, if it is known.
    func record(at place: Int) -> Int64? { rowid(Layout.records(count) + 4 * place) }

    /// The first row of the page at a place of the list, if it is known.
    func first(at place: Int) -> Int64? { rowid(Layout.firsts(count) + 4 * place) }

    private func rowid(_ offset: Int) -> Int64? {
        let rowid = bytes.withUnsafeBytes { $0.number(offset, UInt32.self) }
        return rowid == 0 ? nil : Int64(rowid)
    }

    /// The rows of the pages at some places of the list.
    func rows(at places: Range<Int>) -> Int {
        bytes.withUnsafeBytes { bytes in
            let start = Layout.counts(count)
            return places.reduce(0) { $0 &+ Int(bytes.number(start + 2 * $1, UInt16.self)) }
        }
    }

    /// One of the names in ascending order.
    func name(ofRank rank: Int) -> PageName {
        bytes.withUnsafeBytes { $0.name(Self.headerSize + 16 * rank) }
    }

    /// The place of the page with one of the names in ascending order.
    func place(ofRank rank: Int) -> Int { Int((places.load() ?? places.storeIfNil(Places(placesOfRanks))).all[rank]) }

    /// The number of groups.
    var groupCount: Int { groupTable.count }

    /// One of the groups in the order of their names.
    func group(ofRank rank: Int) -> Group { group(groupTable.index(ofRank: rank)) }

    /// The group of the page at a place. O(log groups)
    func group(at place: Int) -> Group {
        group(bytes.withUnsafeBytes { groupTable.index(ofPlace: place, $0) })
    }

    /// The rows of groups that follow each other in the order of their names.
    func rows(ofGroups ranks: Range<Int>) -> Int {
        bytes.withUnsafeBytes { groupTable.sum(ofRanks: ranks, $0) { rows(at: $0) } }
    }

    private func group(_ index: Int) -> Group {
        bytes.withUnsafeBytes { bytes in
            let entry = groupTable.entry(index, bytes)
            return Group(name: String(decoding: bytes[entry.name], as: UTF8.self), pages: entry.pages)
        }
    }
}

extension PageSummary {
    /// Where the parts are.
    struct Layout {
        let pages: Int
        let groups: Int

        static func ranks(_ pages: Int) -> Int { PageSummary.headerSize + 16 * pages }
        static func counts(_ pages: Int) -> Int { PageSummary.headerSize + 20 * pages }
        static func records(_ pages: Int) -> Int { PageSummary.headerSize + 22 * pages }
        static func firsts(_ pages: Int) -> Int { PageSummary.headerSize + 26 * pages }
        var groupTable: Int { PageSummary.headerSize + PageSummary.pageSize * pages }
        var groupNames: Int { groupTable + 8 * groups }
    }
}

private struct Header {
    let pages: Int
    let groups: Int
    let greatestRowid: Int64
    let checksum: UInt64

    /// Nil if the bytes begin no summary of this size.
    init?(_ bytes: [UInt8], size: Int) {
        guard bytes.count >= PageSummary.headerSize else { return nil }
        let (format, pages, groups, names, greatestRowid, checksum) = bytes.withUnsafeBytes { bytes in
            (
                bytes.number(0, UInt32.self), bytes.number(4, UInt32.self), bytes.number(8, UInt32.self),
                bytes.number(12, UInt32.self), bytes.number(16, Int64.self),
                bytes.number(PageSummary.checksumOffset, UInt64.self)
            )
        }
        (self.pages, self.groups) = (Int(pages), Int(groups))
        (self.greatestRowid, self.checksum) = (greatestRowid, checksum)
        guard format == PageSummary.format, self.pages <= PageSummary.pageLimit,
            size == PageSummary.Layout(pages: self.pages, groups: self.groups).groupNames + Int(names)
        else { return nil }
    }
}

// MARK: Checks

extension PageSummary {
    private static func hasAscendingNames(_ bytes: UnsafeRawBufferPointer, _ layout: Layout) -> Bool {
        func word(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var isAscending = true
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in 0..<layout.pages {
            let next = (high: word(headerSize + 16 * index), low: word(headerSize + 16 * index + 8))
            if index > 0, (next.high, next.low) <= (high, low) { isAscending = false }
            (high, low) = next
        }
        return isAscending
    }

    /// Whether the ranks have each name once: as many as names, each below their number and none twice, are all of them.
    private static func hasEachRank(_ bytes: UnsafeRawBufferPointer, _ layout: Layout) -> Bool {
        let (count, ranks) = (layout.pages, Layout.ranks(layout.pages))
        // A bit for each: they stay in the processor's nearest cache.
        var seen = [UInt64](repeating: 0, count: count / 64 + 1)
        return seen.withUnsafeMutableBufferPointer { seen in
            for place in 0..<count {
                let rank = Int(bytes.number(ranks + 4 * place, UInt32.self))
                guard rank < count, seen[rank / 64] & 1 << (rank % 64) == 0 else { return false }
                seen[rank / 64] |= 1 << (rank % 64)
            }
            return true
        }
    }

    private var placesOfRanks: [UInt32] {
        var places = [UInt32](repeating: 0, count: count)
        bytes.withUnsafeBytes { bytes in
            let ranks = Layout.ranks(count)
            for place in 0..<count { places[Int(bytes.number(ranks + 4 * place, UInt32.self))] = UInt32(place) }
        }
        return places
    }

    /// A sum of all bytes but its own that tells damage, not intent, in a tenth of a millisecond for a megabyte.
    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
        var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
            let product = (sum ^ word) &* prime
            return product ^ product >> 32
        }
        for offset in stride(from: 0, to: checksumOffset, by: 8) { a = mixed(a, bytes.number(offset, UInt64.self)) }
        var offset = headerSize
        // Four sums, so that the processor need not wait for each multiplication.
        while offset <= bytes.count - 32 {
            a = mixed(a, bytes.number(offset, UInt64.self))
            b = mixed(b, bytes.number(offset + 8, UInt64.self))
            c = mixed(c, bytes.number(offset + 16, UInt64.self))
            d = mixed(d, bytes.number(offset + 24, UInt64.self))
            offset += 32
        }
        while offset < bytes.count {
            a = mixed(a, UInt64(bytes[offset]))
            offset += 1
        }
        return mixed(mixed(mixed(a, b), c), d)
    }
}

/// Numbers and names as a ``PageSummary`` has them.
extension UnsafeRawBufferPointer {
    @inline(__always) func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, _: Number.Type
    ) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    @inline(__always) func name(_ offset: Int) -> PageName {
        PageName(
            high: UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            low: UInt64(bigEndian: loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    }
}
