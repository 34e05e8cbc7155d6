/// A file as it is stored, from which ``Unlocking`` reads some pages.
package struct StoredFile {
    /// For messages.
    package let path: String
    /// The first 128 KB, which are two of the largest pages, or all of a shorter file.
    package let start: [UInt8]
    package static let startSize = 131_072

    package init(path: String, start: [UInt8]) {
        (self.path, self.start) = (path, start)
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    package var hasPlainHeader: Bool { start.starts(with: Self.magic) }

    /// Whether the file may be one that SQLCipher wrote: no other program can tell without the key.
    package var looksEncrypted: Bool {
        hasPlainHeader ? isEncryptedBehindHeader : start.count >= Self.leastPage && looksRandom
    }

    private static let leastPage = 512

    /// With `cipher_plaintext_header_size` only the beginning of SQLite's header is in the clear. What follows has few valid values.
    private var isEncryptedBehindHeader: Bool {
        guard start.count >= Self.leastPage else { return false }
        // Three bytes that are the same in every file of SQLite, unless they are behind the plain part.
        if start[21..<24].elementsEqual([64, 32, 32]) {
            guard start[20] >= 16, start[20] % 16 == 0 else { return false }
        } else {
            guard looksRandom else { return false }
        }
        func number(_ places: Range<Int>) -> Int { start[places].reduce(0) { $0 << 8 | Int($1) } }
        // A size of 1 stands for 65,536.
        let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
        // The last of them are of page 1 itself, which no plain header reaches.
        let isWrong = [
            number(44..<48) > 4, number(56..<60) > 3, start[72..<92].contains { $0 != 0 },
            ![2, 5, 10, 13].contains(start[100]), number(101..<103) >= pageSize, number(103..<105) > pageSize / 6,
            number(105..<107) > pageSize, start[107] > 60,
        ]
        return isWrong.count { $0 } >= 3
    }

    /// Ciphertext has nearly all values of a byte in its first page; text and most other files do not.
    private var looksRandom: Bool {
        let sample = start.prefix(1_024)
        return Set(sample).count * 4 > min(sample.count, 256) * 3
    }

    /// Returns a stored page; nil if it is not in the part that was read.
    func page(_ number: Int, size: Int) -> [UInt8]? {
        let end = number * size
        return end <= start.count ? Array(start[end - size..<end]) : nil
    }
}
