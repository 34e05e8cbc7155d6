import CCrypto

/// The two keys that decrypt the pages of a file.
struct DerivedKey: Sendable {
    let encryption: [UInt8]
    let authentication: [UInt8]

    /// Each byte of the salt of the second key differs in these bits.
    private static let saltMask: UInt8 = 0x3a
    private static let authenticationIterations = 2

    /// Takes as long as the iterations demand: 0.2 s for a passphrase by the defaults of SQLCipher 4, nothing for a raw key.
    /// - Throws: ``CipherError`` with kind `unavailable`.
    init(_ key: FileKey, salt: [UInt8], hash: HashFunction, iterations: Int) throws {
        switch key {
        case .raw(let bytes, _): encryption = bytes
        case .passphrase(let secret):
            encryption = try Self.derive(secret, salt: salt, hash: hash, iterations: iterations)
        }
        authentication = try Self.derive(
            encryption, salt: salt.map { $0 ^ Self.saltMask }, hash: hash, iterations: Self.authenticationIterations)
    }

    private static func derive(
        _ secret: [UInt8], salt: [UInt8], hash: HashFunction, iterations: Int
    ) throws -> [UInt8] {
        guard yap_load_libcrypto() else {
            throw CipherError(
                .unavailable,
                "To read encrypted files, OpenSSL's libcrypto is needed, which is not installed. Debian calls it libssl3."
            )
        }
        var key = [UInt8](repeating: 0, count: CipherParameters.keySize)
        guard
            yap_derive_key(
                Int32(hash.size), secret, secret.count, salt, salt.count, Int32(iterations), &key, key.count)
        else {
            throw CipherError(.unavailable, "OpenSSL cannot make a key with \(hash.rawValue).")
        }
        return key
    }
}
