/// A page's key, or a group's name, as two numbers. Two names are equal exactly if their numbers are.
///
/// The first number is hashed with a secret of this process, so that no file can be crafted with colliding names. The
/// second, taken from bytes at both ends, prevents accidental collisions among millions of names.
struct PageName: Hashable {
    private let secret: Int
    private let ends: UInt64

    init(_ bytes: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        secret = hasher.finalize()
        ends =
            bytes.count < 8
            ? UInt64(bytes.count)
            : bytes.loadUnaligned(as: UInt64.self)
                ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self).byteSwapped
    }

    func hash(into hasher: inout Hasher) { hasher.combine(secret) }
}
