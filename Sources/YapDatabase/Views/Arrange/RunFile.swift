import FileEngine

/// Sorted batches of a population that do not fit into memory together, in a temporary file.
///
/// A run has the groups of one batch, in the order of their names, in the machine's byte order. A group is
///
///     8  bytes of its name    8  number of rows    8  flags    its name
///     of each row             8  rowid             8  prefix, if the flags say that there is one
final class RunFile {
    private let file: TemporaryFile
    private var buffer: [UInt8] = []
    private var runs: [Range<Int>] = []

    static let (hasPrefixes, isExact): (UInt64, UInt64) = (1, 2)
    /// Bytes that are written at once.
    private static let portion = 256 << 10

    init(_ file: TemporaryFile) { self.file = file }

    /// Adds a run of groups that are in the order of their names.
    func add(_ groups: some Sequence<(name: String, rows: SortedRun)>) throws {
        let start = file.size
        for (name, rows) in groups { try add(name, rows) }
        try write()
        runs.append(start..<file.size)
    }

    /// Cursors at the beginning of each run.
    func cursors() throws -> [RunCursor] { try runs.map { try RunCursor(file, $0) } }

    private func add(_ name: String, _ rows: SortedRun) throws {
        append(UInt64(name.utf8.count))
        append(UInt64(rows.count))
        append((rows.prefixes == nil ? 0 : Self.hasPrefixes) | (rows.isExact ? Self.isExact : 0))
        buffer += name.utf8
        for (index, rowid) in rows.rowids.enumerated() {
            append(UInt64(bitPattern: rowid))
            if let prefixes = rows.prefixes { append(prefixes[index]) }
            if buffer.count >= Self.portion { try write() }
        }
    }

    private func append(_ number: UInt64) { withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) } }

    private func write() throws {
        try buffer.withUnsafeBytes { try file.append($0) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A place in a run: a group and the next of its rows.
final class RunCursor {
    // Unchecked: no member runs inside another one, and for each row the checks would cost as much as the rest.

    /// The group that is being read; nil at the end of the run.
    @exclusivity(unchecked) private(set) var group: String?
    /// The number of rows of the group that are left, with the one that the cursor is at.
    @exclusivity(unchecked) private(set) var rowsLeft = 0
    @exclusivity(unchecked) private(set) var rowid: Int64 = 0
    /// Nil if not every row of this part of the group has one.
    @exclusivity(unchecked) private(set) var prefix: UInt64?
    /// Whether rows with equal prefixes are equal.
    @exclusivity(unchecked) private(set) var isExact = false
    /// The row that the cursor is at, if it was read.
    @exclusivity(unchecked) var content: RowContent?

    @exclusivity(unchecked) private var hasPrefixes = false
    @exclusivity(unchecked) private var rest: Range<Int>
    private let file: TemporaryFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: RunCursor.bufferSize, alignment: 16)
    @exclusivity(unchecked) private var unread: Range<Int> = 0..<0

    /// A thousand rows. Of each run that is merged, this much is in memory.
    private static let bufferSize = 16 << 10

    init(_ file: TemporaryFile, _ run: Range<Int>) throws {
        (self.file, rest) = (file, run)
        try beginGroup()
    }

    deinit { buffer.deallocate() }

    /// Goes to the next row of the group, or behind its last one.
    @inline(__always) func advance() throws {
        rowsLeft -= 1
        if rowsLeft > 0 { try readRow() }
    }

    /// Goes to the next group, from behind the last row of this one.
    func endGroup() throws { try beginGroup() }

    private func beginGroup() throws {
        guard !unread.isEmpty || !rest.isEmpty else { return group = nil }
        let (length, rows, flags) = (Int(try number()), Int(try number()), try number())
        (hasPrefixes, isExact) = (flags & RunFile.hasPrefixes != 0, flags & RunFile.isExact != 0)
        group = try name(length)
        rowsLeft = rows
        if rows > 0 { try readRow() }
    }

    @inline(__always) private func readRow() throws {
        content = nil
        rowid = Int64(bitPattern: try number())
        prefix = hasPrefixes ? try number() : nil
    }

    private func name(_ length: Int) throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < length {
            if unread.isEmpty { try fill() }
            let part = unread.prefix(length - bytes.count)
            bytes += buffer[part]
            unread = part.upperBound..<unread.upperBound
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always) private func number() throws -> UInt64 {
        if unread.count < 8 { try fill() }
        let number = buffer.loadUnaligned(fromByteOffset: unread.lowerBound, as: UInt64.self)
        unread = unread.lowerBound + 8..<unread.upperBound
        return number
    }

    /// Reads on, and keeps what is unread.
    private func fill() throws {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
        let count = min(buffer.count - unread.count, rest.count)
        try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[unread.count..<unread.count + count]),
            at: rest.lowerBound)
        unread = 0..<unread.count + count
        rest = rest.lowerBound + count..<rest.upperBound
    }
}

/// Finds again and again which of some sorted sequences has the first element, while the sequences advance: a tree of losers, Knuth, The
/// Art of Computer Programming, volume 3, 5.4.1. Each element costs at most as many comparisons as the tree has levels.
struct Tournament {
    /// The sequence that has the first of all elements.
    private(set) var winner: Int
    /// The children of node n are 2n and 2n + 1; the sequences are the leaves.
    private var losers: [Int]

    /// - Parameter wins: whether the next element of one sequence comes before that of another. A sequence that is at its end never
    ///   wins against one that is not.
    init(of count: Int, _ wins: (Int, Int) throws -> Bool) rethrows {
        losers = Array(repeating: 0, count: count)
        var winners = losers + Array(0..<count)
        for node in stride(from: count - 1, to: 0, by: -1) {
            let (a, b) = (winners[2 * node], winners[2 * node + 1])
            let isFirst = try wins(a, b)
            (winners[node], losers[node]) = isFirst ? (a, b) : (b, a)
        }
        winner = count > 1 ? winners[1] : 0
    }

    /// Plays again, after the sequence that has won advanced.
    @inline(__always) mutating func replay(_ wins: (Int, Int) throws -> Bool) rethrows {
        var node = (winner + losers.count) / 2
        while node > 0 {
            if try wins(losers[node], winner) { swap(&losers[node], &winner) }
            node /= 2
        }
    }
}
