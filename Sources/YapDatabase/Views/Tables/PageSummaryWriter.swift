import FileEngine
import ListChanges
import ViewPageKeys

/// Collects the pages of a view in the order of the list, for a ``PageSummary``.
struct PageSummaryWriter {
    private var names: [(name: PageName, place: UInt32)] = []
    private var counts: [UInt16] = []
    private var records: [UInt32] = []
    private var firsts: [UInt32] = []
    private var groups: [(name: String, pages: Int)] = []

    init(expecting pages: Int) {
        names.reserveCapacity(pages)
        counts.reserveCapacity(pages)
        records.reserveCapacity(pages)
        firsts.reserveCapacity(pages)
    }

    /// Begins a group. Groups are added in the order of their names.
    mutating func add(group: String) { groups.append((group, 0)) }

    /// Adds a page to the group.
    /// - Parameters:
    ///   - record: the rowid of its record, if it is known.
    ///   - first: its first row, if it is known.
    /// - Returns: false if a summary cannot hold it.
    mutating func add(_ key: PageKey, rows: Int, record: Int64?, first: Int64?) -> Bool {
        guard key.isUUID, let rows = UInt16(exactly: rows), names.count < PageSummary.pageLimit else { return false }
        names.append((key.name, UInt32(names.count)))
        counts.append(rows)
        records.append(record.flatMap(UInt32.init(exactly:)) ?? 0)
        firsts.append(first.flatMap(UInt32.init(exactly:)) ?? 0)
        groups[groups.count - 1].pages += 1
        return true
    }

    /// The summary itself, which is in no file; nil if a group was added twice. O(p log p) for p pages.
    func summary() -> PageSummary? { PageSummary(bytes(greatestRowid: 0)) }

    /// The bytes of the summary. O(p log p) for p pages.
    func bytes(greatestRowid: Int64) -> [UInt8] {
        let count = names.count
        let sorted = names.sorted { $0.name < $1.name }
        var ranks = [UInt32](repeating: 0, count: count)
        for (rank, entry) in sorted.enumerated() { ranks[Int(entry.place)] = UInt32(rank) }
        let texts = groups.map { Array($0.name.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            PageSummary.Layout(pages: count, groups: groups.count).groupNames + texts.reduce(0) { $0 + $1.count })
        func add(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        add(PageSummary.format)
        add(UInt32(count))
        add(UInt32(groups.count))
        add(UInt32(texts.reduce(0) { $0 + $1.count }))
        add(greatestRowid)
        add(UInt64(0))
        for entry in sorted {
            add(entry.name.high.byteSwapped)
            add(entry.name.low.byteSwapped)
        }
        ranks.forEach(add)
        counts.forEach(add)
        records.forEach(add)
        firsts.forEach(add)
        for (group, text) in zip(groups, texts) {
            add(UInt32(group.pages))
            add(UInt32(text.count))
        }
        for text in texts { bytes += text }
        let checksum = bytes.withUnsafeBytes { PageSummary.checksum($0) }
        withUnsafeBytes(of: checksum.littleEndian) {
            bytes.replaceSubrange(PageSummary.checksumOffset..<PageSummary.headerSize, with: $0)
        }
        return bytes
    }
}
