/// Some pages of a SQLite file, and the rows whose cells are on them.
struct TreePages {
    let pages: [UInt32: [UInt8]]
    let usable: Int
    private let hasPointerMap: Bool
    private let pageSize: Int

    init(_ pages: [UInt32: [UInt8]], pageSize: Int, _ layout: (reserved: Int, hasPointerMap: Bool)) {
        self.pages = pages
        self.pageSize = pageSize
        usable = pageSize - layout.reserved
        hasPointerMap = layout.hasPointerMap
    }

    enum Kind: UInt8 {
        case indexInside = 2
        case tableInside = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    /// Returns the rowids of all table cells on these pages.
    /// - Returns: nil if some pages may hold overflow of rows that are not on these pages, or if a page is damaged.
    func rowids() -> Set<Int64>? {
        var rowids: Set<Int64> = []
        var chains: [UInt32] = []
        for (number, page) in pages {
            guard let kind = kind(number, page), kind != .tableInside else { continue }
            let isSound = page.withUnsafeBytes { bytes in
                read(bytes, number, kind) { rowid, chain in
                    if let rowid { rowids.insert(rowid) }
                    if let chain { chains.append(chain) }
                }
            }
            if !isSound { return nil }
        }
        return explainsRest(chains) ? rowids : nil
    }

    /// Whether every page outside the trees belongs to a cell on these pages, to the free list or to the pointer map.
    /// Overwriting a value after its beginning changes such pages alone.
    private func explainsRest(_ chains: [UInt32]) -> Bool {
        var rest = Set(pages.lazy.filter { kind($0, $1) == nil && $0 != 1 && !isPointerMap($0) }.map(\.key))
        // In a file of more than 100 GB the first byte of such a page may look like that of a tree page.
        guard (pages.keys.max() ?? 0) < 1 << 24 else { return false }
        let free = pages[1].map { [$0.withUnsafeBytes { $0.bigEndian32(at: 32) }] } ?? []
        for chain in chains + free {
            var next = chain
            // A removed page is not met again, so circular chains end.
            while rest.remove(next) != nil, let page = pages[next] {
                next = page.withUnsafeBytes { $0.bigEndian32(at: 0) }
            }
        }
        return rest.isEmpty
    }

    func kind(_ number: UInt32, _ page: [UInt8]) -> Kind? {
        isPointerMap(number) ? nil : Kind(rawValue: page[number == 1 ? 100 : 0])
    }

    private func isPointerMap(_ number: UInt32) -> Bool {
        guard hasPointerMap, number > 1 else { return false }
        // The lock-byte page holds no data; a map page that falls on it moves one page on.
        let lockPage = UInt32(1 << 30 / pageSize + 1)
        let span = UInt32(usable / 5 + 1)
        let map = (number - 2) / span * span + 2
        return number == (map == lockPage ? map + 1 : map)
    }

    /// Calls `body` with each cell's rowid, if it has one, and the first overflow page of its payload, if it has one.
    /// - Returns: false if the page is damaged.
    private func read(
        _ bytes: UnsafeRawBufferPointer, _ number: UInt32, _ kind: Kind, _ body: (Int64?, UInt32?) -> Void
    ) -> Bool {
        let start = number == 1 ? 100 : 0
        let cells = start + (kind == .indexInside ? 12 : 8)
        let count = bytes.bigEndian16(at: start + 3)
        guard cells + 2 * count <= usable else { return false }
        for cell in 0..<count {
            var place = bytes.bigEndian16(at: cells + 2 * cell) + (kind == .indexInside ? 4 : 0)
            guard let size = varint(bytes, &place), size >= 0, size < 1 << 32 else { return false }
            var rowid: Int64?
            if kind == .tableLeaf {
                rowid = varint(bytes, &place)
                if rowid == nil { return false }
            }
            let local = local(Int(size), kind)
            guard place + local + (local < size ? 4 : 0) <= usable else { return false }
            body(rowid, local < size ? bytes.bigEndian32(at: place + local) : nil)
        }
        return true
    }

    /// Returns the bytes of a payload that are stored in the cell itself, according to the file format.
    func local(_ size: Int, _ kind: Kind) -> Int {
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let local = least + (size - least) % (usable - 4)
        return local <= most ? local : least
    }

    func varint(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard place < usable else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
