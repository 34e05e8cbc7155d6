/// An entry as it lies in the journal: 4 bytes length; 4 bytes that are 0 at first and the seal when the entry is
/// confirmed; 8 bytes checksum; the entry's bytes. All numbers are little-endian.
///
/// Checksum and seal depend on the life of the file, so what was written in another one is none of its entries.
struct JournalRecord {
    let start: Int
    let end: Int
    let seal: UInt32
    let isConfirmed: Bool
    let bytes: ArraySlice<UInt8>

    private static let headerLength = 16
    /// Where the seal is, behind the start.
    static let sealOffset = 4
}

extension JournalRecord {
    /// The bytes of an entry that is not confirmed, and what will confirm it.
    static func encode(_ bytes: [UInt8], generation: UInt64) -> (record: [UInt8], seal: UInt32) {
        let sum = checksum(bytes[...], generation)
        var record: [UInt8] = []
        record.reserveCapacity(headerLength + bytes.count)
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { record += $0 }
        withUnsafeBytes(of: UInt32(0)) { record += $0 }
        withUnsafeBytes(of: sum.littleEndian) { record += $0 }
        return (record + bytes, seal(sum))
    }

    /// The whole records at the beginning of what stands in the file from `start` on.
    static func decode(_ bytes: ArraySlice<UInt8>, at start: Int, generation: UInt64) -> [JournalRecord] {
        var records: [JournalRecord] = []
        var position = 0
        while position + headerLength <= bytes.count {
            let (length, flag, sum) = bytes.withUnsafeBytes {
                (
                    Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt32.self))),
                    UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: position + sealOffset, as: UInt32.self)),
                    UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
                )
            }
            let end = position + headerLength + length
            guard end <= bytes.count else { break }
            let entry = bytes[(position + headerLength)..<end]
            guard checksum(entry, generation) == sum else { break }
            records.append(
                JournalRecord(
                    start: start + position, end: start + end, seal: seal(sum), isConfirmed: flag == seal(sum),
                    bytes: entry))
            position = end
        }
        return records
    }

    /// Never 0.
    private static func seal(_ checksum: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: checksum) | 1 }

    /// FNV-1a (Fowler, Noll, Vo), from another beginning for each life.
    private static func checksum(_ bytes: ArraySlice<UInt8>, _ generation: UInt64) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325 ^ generation) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
