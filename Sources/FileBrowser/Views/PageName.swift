/// A page's key, or a group's name, as two numbers: two names are the same exactly when their numbers are.
///
/// The first is made with a secret of this process, so that no file can be written whose names collide; the second, of
/// bytes at both ends, makes sure that among millions of names none do by chance.
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
