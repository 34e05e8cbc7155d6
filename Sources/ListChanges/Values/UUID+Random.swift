import Foundation

extension UUID {
    /// A random UUID from the system's generator, which needs no file descriptor. Foundation's opens one each time, and gives zeros when none
    /// is left: two pages of one name would damage a view, and of two mutations or commits of one id the server would store one.
    package static func random() -> UUID {
        let (high, low) = randomWords()
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (56 - 8 * (index % 8))) }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }

    /// The halves of a random UUID, of version 4 and variant 1.
    package static func randomWords() -> (high: UInt64, low: UInt64) {
        var random = SystemRandomNumberGenerator()
        return (random.next() & ~0xf000 | 0x4000, random.next() & ~(0xc0 << 56) | 0x80 << 56)
    }
}
