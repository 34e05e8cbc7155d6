import CSQLite

/// The bytes of the file itself, for what SQLite does not lead to.
extension SQLiteHandle {
    /// The size of the file in bytes, without its log; 0 if it cannot be determined.
    public var fileSize: Int { Int(yap_file_size(pointer)) }

    /// Reads bytes of the file, without its log. Behind its end there are zeros.
    /// - Returns: nil if the system cannot read them.
    public func fileBytes(at offset: Int, count: Int) -> [UInt8]? {
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            status = yap_read_file(pointer, buffer.baseAddress, Int32(count), Int64(offset))
            filled = status == 0 ? count : 0
        }
        return status == 0 ? bytes : nil
    }
}
