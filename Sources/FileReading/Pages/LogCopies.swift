import Foundation
import SQLiteBridge

/// The copies of pages in a write-ahead log, found by reading the log itself.
///
/// A frame belongs to the log if it has the salt of the log's header and the sum of everything before it. The frames up to
/// the last commit are what SQLite reads; those behind a damaged one still have the salt.
final class LogCopies {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    let pageSize: Int
    private let file: Int32
    private let decoder: PageDecoder?
    /// The last committed frame of each page.
    private var newestFrames: [Int: Int] = [:]
    /// The other frames, in the order of the log.
    private var otherFrames: [Int: [Int]] = [:]

    var greatestPage: Int { newestFrames.keys.max() ?? 0 }
    var pages: [Int] { Set(newestFrames.keys).union(otherFrames.keys).sorted() }

    /// - Returns: nil if there is no log, or nothing can be read of it.
    init?(_ path: String, maxFrames: Int?) {
        // The log itself carries no locks, so closing it releases none.
        file = open(path + "-wal", O_RDONLY | O_CLOEXEC)
        decoder = PageDecoders.decoder(of: path)
        guard file >= 0 else { return nil }
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        let hasHeader = pread(file, &header, header.count, 0) == header.count
        let words = (0..<8).map { place in header.withUnsafeBytes { $0.bigEndian32(at: 4 * place) } }
        pageSize = Int(words[2])
        guard hasHeader, words[0] & ~1 == 0x377f_0682, (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0
        else { return nil }
        var sum = LogSum(isBigEndian: words[0] & 1 == 1)
        header.withUnsafeBytes { sum.add($0[..<24]) }
        readFrames((words[4], words[5]), sum, isSound: sum.first == words[6] && sum.second == words[7], maxFrames)
    }

    deinit { if file >= 0 { close(file) } }

    private func readFrames(_ salt: (UInt32, UInt32), _ sum: LogSum, isSound: Bool, _ maxFrames: Int?) {
        var (sum, isSound) = (sum, isSound)
        var open: [(page: Int, frame: Int)] = []
        var frame = [UInt8](repeating: 0, count: Self.frameHeaderSize + pageSize)
        for place in 0..<(maxFrames ?? .max) {
            guard pread(file, &frame, frame.count, off_t(offset(place))) == frame.count else { break }
            let words = (0..<6).map { place in frame.withUnsafeBytes { $0.bigEndian32(at: 4 * place) } }
            guard (words[2], words[3]) == salt, words[0] > 0, words[0] < 1 << 31 else { break }
            if isSound {
                frame.withUnsafeBytes {
                    sum.add($0[..<8])
                    sum.add($0[Self.frameHeaderSize...])
                }
                isSound = sum.first == words[4] && sum.second == words[5]
            }
            open.append((Int(words[0]), place))
            if isSound, words[1] != 0 { commit(&open) }
            if !isSound { setAside(&open) }
        }
    }

    private func commit(_ open: inout [(page: Int, frame: Int)]) {
        for (page, frame) in open {
            if let older = newestFrames[page] { otherFrames[page, default: []].append(older) }
            newestFrames[page] = frame
        }
        open = []
    }

    /// Frames that SQLite does not read.
    private func setAside(_ open: inout [(page: Int, frame: Int)]) {
        for (page, frame) in open { otherFrames[page, default: []].append(frame) }
        open = []
    }

    func hasNewest(_ page: Int) -> Bool { newestFrames[page] != nil }
    func newest(_ page: Int) -> [UInt8]? { newestFrames[page].flatMap { bytes($0, page) } }
    func others(_ page: Int) -> [[UInt8]] {
        (otherFrames[page] ?? []).sorted(by: >).compactMap { bytes($0, page) }
    }

    private func bytes(_ place: Int, _ page: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: pageSize) { buffer, filled in
            filled = max(0, pread(file, buffer.baseAddress, pageSize, off_t(offset(place) + Self.frameHeaderSize)))
        }
        guard bytes.count == pageSize, let decoder else { return bytes.count == pageSize ? bytes : nil }
        return UInt32(exactly: page).flatMap { decoder.page($0, bytes) }
    }

    private func offset(_ place: Int) -> Int { Self.headerSize + place * (Self.frameHeaderSize + pageSize) }
}

/// The sum that SQLite keeps of a log.
private struct LogSum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        for place in stride(from: 0, to: bytes.count - 7, by: 8) {
            let (a, b) = (
                bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self),
                bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
            )
            first &+= (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
            second &+= (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
        }
    }
}
