extension TreePages {
    /// Returns the pages of indexes over two texts and a rowid, like that of collections and keys.
    /// - Returns: nil if it is unknown between which entries others may have been inserted or removed.
    func keys() -> [TouchedKeys.Page]? {
        var found: [TouchedKeys.Page] = []
        for (number, page) in pages {
            guard let kind = kind(number, page), kind == .indexLeaf || kind == .indexInside else { continue }
            let result = page.withUnsafeBytes { keys($0, number, kind) }
            switch result {
            case .page(let page): found.append(page)
            case .other: break
            case .unknown: return nil
            }
        }
        return found
    }

    private enum Keys {
        case page(TouchedKeys.Page)
        /// A page of another index.
        case other
        case unknown
    }

    private func keys(_ bytes: UnsafeRawBufferPointer, _ number: UInt32, _ kind: Kind) -> Keys {
        let count = bytes.bigEndian16(at: 3)
        let cells = kind == .indexInside ? 12 : 8
        // An index page that lost its last entry no longer shows where the entry was.
        guard number > 1, count > 0, cells + 2 * count <= usable else { return .unknown }
        switch (entry(bytes, cells, kind), entry(bytes, cells + 2 * (count - 1), kind)) {
        case (.entry(let first), .entry(let last)):
            guard kind == .indexInside else { return .page(.init(first: first, last: last, margin: 0)) }
            // The pages below at both ends are leaves, and an entry takes six bytes at least.
            return isAboveLeaves(bytes, cells, count)
                ? .page(.init(first: first, last: last, margin: usable / 6 + 1)) : .unknown
        case (.other, _), (_, .other): return .other
        default: return .unknown
        }
    }

    /// Whether one of the pages below is known to be a leaf; then all of them are.
    private func isAboveLeaves(_ bytes: UnsafeRawBufferPointer, _ cells: Int, _ count: Int) -> Bool {
        let places = (0..<count).map { bytes.bigEndian16(at: cells + 2 * $0) }
        let below = places.filter { $0 + 4 <= usable }.map { bytes.bigEndian32(at: $0) } + [bytes.bigEndian32(at: 8)]
        let kinds = below.compactMap { number in pages[number].flatMap { kind(number, $0) } }
        return !kinds.isEmpty && kinds.allSatisfy { $0 == .indexLeaf }
    }

    private enum Cell {
        case entry(TouchedKeys.Entry)
        case other
        case unknown
    }

    private func entry(_ bytes: UnsafeRawBufferPointer, _ pointer: Int, _ kind: Kind) -> Cell {
        var place = bytes.bigEndian16(at: pointer) + (kind == .indexInside ? 4 : 0)
        guard let size = varint(bytes, &place), size > 0, size < 1 << 32 else { return .unknown }
        let local = local(Int(size), kind)
        let start = place
        guard start + local <= usable, let head = varint(bytes, &place), head > 0, head <= size else { return .unknown }
        var types: [Int64] = []
        while place < start + Int(head), types.count < 4 {
            // A header larger than what is on the page belongs to a value that continues elsewhere.
            guard place < start + local, let type = varint(bytes, &place) else { return .unknown }
            types.append(type)
        }
        guard types.count == 3 else { return .other }
        // Texts and blobs, and then a rowid.
        guard types[0] >= 12, types[1] >= 12, (1...9).contains(types[2]) else { return .unknown }
        let lengths = types.prefix(2).map { Int(($0 - 12) / 2) }
        let begin = start + Int(head)
        guard lengths.allSatisfy({ $0 <= local }), begin + lengths[0] + lengths[1] <= start + local else {
            return .unknown
        }
        func text(_ index: Int, at place: Int) -> StoredText {
            StoredText(Array(bytes[place..<place + lengths[index]]), isBlob: types[index].isMultiple(of: 2))
        }
        return .entry(.init(collection: text(0, at: begin), key: text(1, at: begin + lengths[0])))
    }
}
