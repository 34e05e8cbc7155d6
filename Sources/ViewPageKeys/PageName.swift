import ListChanges
import SQLiteBridge

/// The key of a page in 16 bytes. Of a UUID in upper case, as all programs write them, these are its own bytes, so that its text can be
/// made again and its place among others is the same in every process.
///
/// Another key is hashed with a secret of this process: no file can be written whose keys collide.
@frozen public struct PageName: Hashable, Comparable, Sendable {
    @usableFromInline package let high: UInt64
    @usableFromInline package let low: UInt64

    @inlinable package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    package init(_ bytes: UnsafeRawBufferPointer) { self = PageName(uuid: bytes) ?? PageName(hashing: bytes) }

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { PageName(UnsafeRawBufferPointer($0)) }
    }

    package init(_ statement: SQLiteStatement, at column: Int) {
        self = statement.withBytes(at: column) { PageName($0) }
    }

    private init(hashing bytes: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        low = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher = Hasher()
        hasher.combine(low)
        hasher.combine(bytes: bytes)
        high = UInt64(bitPattern: Int64(hasher.finalize()))
    }

    @inlinable public static func < (one: PageName, other: PageName) -> Bool {
        one.high == other.high ? one.low < other.low : one.high < other.high
    }
}

// MARK: UUIDs as text, such as 6BA7B810-9DAD-11D1-80B4-00C04FD430C8

extension PageName {
    @inlinable package static var textLength: Int { 36 }
    private static let dash = UInt8(ascii: "-")

    /// Nil if the bytes are not the text of a UUID in upper case.
    init?(uuid bytes: UnsafeRawBufferPointer) {
        let dash = Self.dash
        guard bytes.count == Self.textLength, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash
        else { return nil }
        func half(_ offset: Int) -> UInt64 {
            UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        func word(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        guard let first = Self.number(word(0)), let second = Self.number(half(9) << 32 | half(14)),
            let third = Self.number(half(19) << 32 | half(24)), let fourth = Self.number(word(28))
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// The text of a UUID.
    package var uuidText: String {
        String(unsafeUninitializedCapacity: Self.textLength) { text in
            write(uuidText: UnsafeMutableRawBufferPointer(text))
            return Self.textLength
        }
    }

    /// Calls the body with the bytes of the text of a UUID.
    @inlinable package func withUUID<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: Self.textLength, alignment: 1) { bytes in
            write(uuidText: bytes)
            return try body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Writes the text of a UUID, which takes ``textLength`` bytes.
    @usableFromInline package func write(uuidText bytes: UnsafeMutableRawBufferPointer) {
        func write(_ digits: UInt64, _ offset: Int) {
            bytes.storeBytes(of: digits.bigEndian, toByteOffset: offset, as: UInt64.self)
        }
        // What lies under a dash and after it is written again.
        let (second, third) = (Self.digits(high & 0xffff_ffff), Self.digits(low >> 32))
        write(Self.digits(high >> 32), 0)
        write(second, 9)
        write(second << 32, 14)
        write(third, 19)
        write(third << 32, 24)
        write(Self.digits(low & 0xffff_ffff), 28)
        for offset in [8, 13, 18, 23] { bytes[offset] = Self.dash }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let lowHalves: UInt64 = 0x0f0f_0f0f_0f0f_0f0f

    /// The number that eight hexadecimal digits in upper case are; all eight at once, because this runs for every page and for every
    /// row that changes.
    private static func number(_ digits: UInt64) -> UInt64? {
        let isLetter = digits >> 6 & ones
        let values = (digits & lowHalves) &+ 9 &* isLetter
        guard values & ~lowHalves == 0, text(values) == digits else { return nil }
        let pairs = (values >> 4 | values) & 0x00ff_00ff_00ff_00ff
        let fours = (pairs >> 8 | pairs) & 0x0000_ffff_0000_ffff
        return (fours >> 16 | fours) & 0xffff_ffff
    }

    /// The eight digits of a number below 2^32.
    private static func digits(_ number: UInt64) -> UInt64 {
        let fours = (number << 16 | number) & 0x0000_ffff_0000_ffff
        let pairs = (fours << 8 | fours) & 0x00ff_00ff_00ff_00ff
        return text((pairs << 4 | pairs) & lowHalves)
    }

    /// The digits of eight values below 16, one in each byte.
    private static func text(_ values: UInt64) -> UInt64 {
        let isLetter = (values &+ 6 &* ones) >> 4 & ones
        return values &+ 0x30 &* ones &+ 7 &* isLetter
    }
}

/// The key of a page. Of a UUID, only the name is kept.
@frozen public struct PageKey: Sendable {
    @usableFromInline package let name: PageName
    /// The text, if it is none of a UUID.
    @usableFromInline let other: String?

    package init(_ bytes: UnsafeRawBufferPointer) {
        if let name = PageName(uuid: bytes) {
            (self.name, other) = (name, nil)
        } else {
            (name, other) = (PageName(bytes), String(decoding: bytes, as: UTF8.self))
        }
    }

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { PageKey(UnsafeRawBufferPointer($0)) }
    }

    package init(uuid name: PageName) { (self.name, other) = (name, nil) }

    package static func random() -> PageKey {
        let (high, low) = randomUUIDWords()
        return PageKey(uuid: PageName(high: high, low: low))
    }

    package var isUUID: Bool { other == nil }
    package var text: String { other ?? name.uuidText }

    /// Calls the body with the bytes of the text.
    @inlinable package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard var other else { return try name.withUUID(body) }
        return try other.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}
