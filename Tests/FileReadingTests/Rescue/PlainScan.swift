/// A scan of all leaf pages of a file for records of the row table: a model that shares no code with the library.
///
/// A record counts if its head has exactly the columns of the table, its size is theirs, and the pages of a long value are in the file. Knows nothing of trees, logs, free pages and indexes.
struct PlainScan {
    struct Row: Hashable {
        var rowid: Int64
        var collection: [UInt8]
        var key: [UInt8]
        var data: [UInt8]
    }

    private let bytes: [UInt8]
    private let pageSize: Int

    init(_ bytes: [UInt8], pageSize: Int) {
        let pages = (bytes.count + pageSize - 1) / pageSize
        self.bytes = bytes + [UInt8](repeating: 0, count: pages * pageSize - bytes.count)
        self.pageSize = pageSize
    }

    /// The rows by rowid, the first of each.
    func rows() -> [Int64: Row] {
        var found: [Int64: Row] = [:]
        for page in 0..<bytes.count / pageSize {
            let start = page * pageSize + (page == 0 ? 100 : 0)
            guard bytes[start] == 13 else { continue }
            let count = number(start + 3, 2)
            let header = start - page * pageSize + 8
            guard header + 2 * count <= pageSize else { continue }
            for cell in 0..<count {
                let offset = number(start + 8 + 2 * cell, 2)
                guard offset >= header + 2 * count, offset + 4 <= pageSize,
                    let row = row(page * pageSize + offset, page)
                else { continue }
                if found[row.rowid] == nil { found[row.rowid] = row }
            }
        }
        return found
    }

    private func row(_ cell: Int, _ page: Int) -> Row? {
        let end = (page + 1) * pageSize
        var place = cell
        guard let size = varint(&place, end).map(Int.init(bitPattern:)), size > 0, size <= bytes.count,
            let rowid = varint(&place, end)
        else { return nil }
        let local = localBytes(size)
        guard place + local + (local < size ? 4 : 0) <= end else { return nil }
        let start = place
        guard let head = varint(&place, end), head > 0, head <= UInt(local) else { return nil }
        var widths: [Int] = []
        var types: [UInt] = []
        while place < start + Int(head) {
            guard let type = varint(&place, end), let width = width(type) else { return nil }
            types.append(type)
            widths.append(width)
        }
        guard place == start + Int(head), types.count == 5, types[0] == 0, isText(types[1]), isText(types[2]),
            widths.reduce(Int(head), { $0 &+ $1 }) == size
        else { return nil }
        var payload = Array(bytes[start..<start + local])
        if local < size {
            var next = number(start + local, 4)
            while payload.count < size {
                guard next > 1, next <= bytes.count / pageSize else { return nil }
                let page = (next - 1) * pageSize
                payload += bytes[page + 4..<page + min(pageSize, 4 + size - payload.count)]
                next = number(page, 4)
            }
        }
        var values: [[UInt8]] = []
        var from = Int(head)
        for width in widths {
            values.append(Array(payload[from..<from + width]))
            from += width
        }
        return Row(rowid: Int64(bitPattern: UInt64(rowid)), collection: values[1], key: values[2], data: values[3])
    }

    private func isText(_ type: UInt) -> Bool { type >= 13 && type % 2 == 1 }

    private func width(_ type: UInt) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1, 2, 3, 4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: type - 12 < 1 << 40 ? Int(type - 12) / 2 : nil
        }
    }

    private func localBytes(_ size: Int) -> Int {
        if size <= pageSize - 35 { return size }
        let least = (pageSize - 12) * 32 / 255 - 23
        let local = least + (size - least) % (pageSize - 4)
        return local <= pageSize - 35 ? local : least
    }

    private func number(_ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func varint(_ place: inout Int, _ end: Int) -> UInt? {
        var value: UInt = 0
        for index in 0..<9 {
            guard place < end else { return nil }
            let byte = bytes[place]
            place += 1
            if index == 8 { return value << 8 | UInt(byte) }
            value = value << 7 | UInt(byte & 0x7f)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
