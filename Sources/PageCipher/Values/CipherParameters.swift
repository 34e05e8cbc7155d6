/// How SQLCipher encrypted a file: everything but the key.
package struct CipherParameters: Hashable, Sendable {
    /// In bytes.
    package var pageSize: Int
    /// The hash function that derives the key from a passphrase, and the number of its iterations.
    package var keyHash: HashFunction
    package var iterations: Int
    /// The hash function of the pages' authentication codes; nil if the pages have none.
    package var authentication: HashFunction?
    /// The number of bytes at the beginning of the file that are not encrypted. If it is 0, the file begins with the salt.
    package var plaintextHeader: Int

    /// The defaults of a major version of SQLCipher, 1 to 4.
    package static func defaults(ofVersion version: Int) -> CipherParameters {
        switch version {
        case 4:
            CipherParameters(
                pageSize: 4_096, keyHash: .sha512, iterations: 256_000, authentication: .sha512, plaintextHeader: 0)
        case 3:
            CipherParameters(
                pageSize: 1_024, keyHash: .sha1, iterations: 64_000, authentication: .sha1, plaintextHeader: 0)
        case 2:
            CipherParameters(
                pageSize: 1_024, keyHash: .sha1, iterations: 4_000, authentication: .sha1, plaintextHeader: 0)
        default:
            CipherParameters(
                pageSize: 1_024, keyHash: .sha1, iterations: 4_000, authentication: nil, plaintextHeader: 0)
        }
    }

    /// The versions with defaults of their own, the newest first.
    package static let versions = [4, 3, 2, 1]
    package static let saltSize = 16
    package static let keySize = 32
    static let vectorSize = 16
    static let pageSizes = (9...16).map { 1 << $0 }
    static let plaintextHeaders = [0, 16, 32, 48, 64, 80, 96]

    /// The number of bytes at the end of each page that are not content: a multiple of the cipher's block size.
    package var reserved: Int {
        let used = Self.vectorSize + (authentication?.size ?? 0)
        return (used + 15) / 16 * 16
    }

    /// The number of bytes at the beginning of a page that are not encrypted.
    func start(ofPage number: UInt32) -> Int {
        number > 1 ? 0 : plaintextHeader > 0 ? plaintextHeader : Self.saltSize
    }
}
