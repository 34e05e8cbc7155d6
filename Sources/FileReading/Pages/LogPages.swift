import Foundation
import SQLiteBridge

/// The pages that were committed between two states, read from the write-ahead log.
///
/// If the log was restarted in between, the end of the older log may still be in the file after the new one. SQLite
/// counts commits: if both parts together have that count, nothing is missing. A reader that is about to release the log
/// reads what was committed so far, because the next writer begins to overwrite the log at its start.
struct LogPages: Sendable {
    /// The most pages to read, some 30 MB. A list that changed more than that is reloaded.
    private static let frameLimit = 8_000
    private static let logHeaderSize = 32
    private static let frameHeaderSize = 24

    /// The newest version of each page.
    private(set) var pages: [UInt32: [UInt8]] = [:]
    /// The state up to which the pages are known.
    private(set) var end: LogPosition
    private var file: Int32 = -1
    private var decoder: PageDecoder?

    init(from start: LogPosition) { end = start }

    /// Reads the pages that were committed up to a newer position.
    /// - Parameter isStill: whether the log that ends at `new` is still in the file; called after reading it.
    /// - Returns: false if it is unknown what was committed; the value is of no use then.
    mutating func read(_ path: String, to new: LogPosition, isStill: () -> Bool) -> Bool {
        file = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        decoder = PageDecoders.decoder(of: path)
        // The log itself carries no locks, so closing it releases none.
        guard file >= 0 else { return false }
        defer { close(file) }
        guard end.pageSize == new.pageSize, (512...65_536).contains(new.pageSize) else { return false }
        var (commits, start) = (0, end.frames)
        if end.salt != new.salt {
            commits = readRest()
            start = 0
        }
        guard start <= new.frames, new.frames - start <= Self.frameLimit else { return false }
        for place in start..<new.frames {
            guard let frame = frame(place, salt: new.salt) else { return false }
            pages[frame.page] = frame.bytes
            if frame.isCommit { commits += 1 }
        }
        guard commits == Int(new.change &- end.change), pages.count <= Self.frameLimit, isStill() else { return false }
        end = new
        return true
    }

    /// Reads what was committed to the older log after the known state. Uncommitted pages do not count.
    private mutating func readRest() -> Int {
        let old = end
        var commits = 0
        var open: [UInt32: [UInt8]] = [:]
        for place in old.frames..<old.frames + Self.frameLimit {
            // The frame header is written before its page: while the header is the same, so is the page.
            guard let frame = frame(place, salt: old.salt), header(place)?.salt == old.salt else { break }
            open[frame.page] = frame.bytes
            guard frame.isCommit else { continue }
            commits += 1
            pages.merge(open) { $1 }
            open = [:]
        }
        return commits
    }

    private func frame(_ place: Int, salt: UInt64) -> (page: UInt32, isCommit: Bool, bytes: [UInt8])? {
        guard let header = header(place), header.salt == salt,
            let bytes = read(end.pageSize, at: offset(place) + Self.frameHeaderSize)
        else { return nil }
        guard let decoder else { return (header.page, header.isCommit, bytes) }
        return decoder.page(header.page, bytes).map { (header.page, header.isCommit, $0) }
    }

    private func header(_ place: Int) -> (page: UInt32, isCommit: Bool, salt: UInt64)? {
        guard let bytes = read(Self.frameHeaderSize, at: offset(place)) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            // In the form that SQLite uses in the index: two numbers in native byte order.
            let low = UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            let high = UInt64(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            return (bytes.bigEndian32(at: 0), bytes.bigEndian32(at: 4) != 0, high << 32 | low)
        }
    }

    private func offset(_ place: Int) -> Int { Self.logHeaderSize + place * (Self.frameHeaderSize + end.pageSize) }

    private func read(_ count: Int, at offset: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
        }
        return bytes.count == count ? bytes : nil
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the big-endian number at a place, which must be inside.
    func bigEndian32(at place: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    func bigEndian16(at place: Int) -> Int {
        Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }
}
