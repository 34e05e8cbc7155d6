/// What a commit stores for other processes: the versions before and after, and bytes that describe the changes.
package struct CommitRecord: Sendable {
    package var before: FileVersion
    package var after: FileVersion
    /// The changes. The engine does not interpret them.
    package var content: ArraySlice<UInt8>

    package init(before: FileVersion, after: FileVersion, content: [UInt8]) {
        self.before = before
        self.after = after
        self.content = content[...]
    }

    /// Returns nil if the bytes are not a record.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let before = Self.version(&reader), let after = Self.version(&reader) else { return nil }
        self.before = before
        self.after = after
        content = reader.remaining
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        for version in [before, after] {
            writer.write(version.number)
            writer.write(version.change.map { Int($0) + 1 } ?? 0)
        }
        return writer.bytes + content
    }

    private static func version(_ reader: inout ByteReader) -> FileVersion? {
        guard let number = reader.int(), let change = reader.int() else { return nil }
        return FileVersion(number: number, change: change == 0 ? nil : UInt32(truncatingIfNeeded: change &- 1))
    }
}
