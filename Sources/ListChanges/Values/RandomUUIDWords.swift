/// The halves of a random UUID, of version 4 and variant 1, from the system's generator, which needs no file descriptor. Foundation's opens
/// one each time, and gives zeros when none is left: two pages of one name would damage a view, and of two mutations or commits of one id
/// the server would store one.
package func randomUUIDWords() -> (high: UInt64, low: UInt64) {
    var random = SystemRandomNumberGenerator()
    return (random.next() & ~0xf000 | 0x4000, random.next() & ~(0xc0 << 56) | 0x80 << 56)
}
