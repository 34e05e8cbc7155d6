/// A row of a table, or an entry of an index, as it lies in a cell of a page.
struct StoredRecord {
    /// Nil for an entry of an index.
    var rowid: Int64?
    var values: [StoredValue.Content]
}

extension RecordReader {
    /// Reads the values of a record.
    /// - Returns: nil if some of them are on pages that are missing or that hold something else.
    func record(_ head: Head, _ page: TreePage) -> StoredRecord? {
        var payload = Array(page.bytes[head.start..<head.start + head.local])
        if head.local < head.size {
            payload.reserveCapacity(head.size)
            guard addOverflow(&payload, from: Int(page.bytes.bigEndian32(at: head.start + head.local)), head.size)
            else {
                return nil
            }
        }
        var place = head.headSize
        var values: [StoredValue.Content] = []
        for type in head.types {
            let width = Self.width(type) ?? 0
            values.append(Self.value(type, payload[place..<place + width]))
            place += width
        }
        return StoredRecord(rowid: head.rowid, values: values)
    }

    private func addOverflow(_ payload: inout [UInt8], from first: Int, _ size: Int) -> Bool {
        var next = first
        while payload.count < size {
            guard next > 1, let page = pages.page(next) else { return false }
            payload += page[4..<min(pages.usable, 4 + size - payload.count)]
            next = page.withUnsafeBytes { Int($0.bigEndian32(at: 0)) }
        }
        return true
    }

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> StoredValue.Content {
        switch type {
        case 0: return .null
        case 8, 9: return .integer(type - 8)
        case 1...6:
            let first = Int64(Int8(bitPattern: bytes.first ?? 0))
            return .integer(bytes.dropFirst().reduce(first) { $0 << 8 | Int64($1) })
        case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        default: return type.isMultiple(of: 2) ? .blob(Array(bytes)) : .text(Array(bytes))
        }
    }
}
