import Foundation
import SQLiteBridge

/// The pages that were committed between two states, as the write-ahead log has them.
///
/// Where the log began from its beginning in between, the end of the one before still stands behind the new one. SQLite
/// counts commits: when both parts together have as many as were counted, nothing is missing.
struct LogPages {
    /// Pages to read, some 30 MB. After more than that a list is as good as new.
    private static let frameLimit = 8_000
    private static let logHeaderSize = 32
    private static let frameHeaderSize = 24

    /// The newest of each.
    private(set) var pages: [UInt32: [UInt8]] = [:]
    private let file: Int32
    private let pageSize: Int

    /// - Parameter isStill: whether the log that ends at `new` still stands in the file; asked when it has been read.
    /// - Returns: nil where it is not known what was committed.
    init?(_ path: String, from old: LogPosition, to new: LogPosition, isStill: () -> Bool) {
        file = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        pageSize = new.pageSize
        // Nothing locks the log itself, so closing it lets go of no lock.
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard old.pageSize == new.pageSize, (512...65_536).contains(pageSize) else { return nil }
        var (commits, start) = (0, old.frames)
        if old.salt != new.salt {
            commits = readRest(from: old)
            start = 0
        }
        guard start <= new.frames, new.frames - start <= Self.frameLimit else { return nil }
        for place in start..<new.frames {
            guard let frame = frame(place, salt: new.salt) else { return nil }
            pages[frame.page] = frame.bytes
            if frame.isCommit { commits += 1 }
        }
        guard commits == Int(new.change &- old.change), isStill() else { return nil }
    }

    /// Reads what was committed to the log before after this reader's state. What was not committed does not count.
    private mutating func readRest(from old: LogPosition) -> Int {
        var commits = 0
        var open: [UInt32: [UInt8]] = [:]
        for place in old.frames..<old.frames + Self.frameLimit {
            // The header is written before the page: while it is the same, so is the page.
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
            let bytes = read(pageSize, at: offset(place) + Self.frameHeaderSize)
        else { return nil }
        return (header.page, header.isCommit, bytes)
    }

    private func header(_ place: Int) -> (page: UInt32, isCommit: Bool, salt: UInt64)? {
        guard let bytes = read(Self.frameHeaderSize, at: offset(place)) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            // As SQLite keeps it in the index: two numbers, whose bytes are never turned round.
            let low = UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            let high = UInt64(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            return (bytes.bigEndian32(at: 0), bytes.bigEndian32(at: 4) != 0, high << 32 | low)
        }
    }

    private func offset(_ place: Int) -> Int { Self.logHeaderSize + place * (Self.frameHeaderSize + pageSize) }

    private func read(_ count: Int, at offset: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
        }
        return bytes.count == count ? bytes : nil
    }
}

extension UnsafeRawBufferPointer {
    /// The number in the order of a SQLite file. The place must be inside.
    func bigEndian32(at place: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    func bigEndian16(at place: Int) -> Int {
        Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }
}
