import CCrypto

/// A hash function that SQLCipher uses, for keys and for authentication codes.
package enum HashFunction: String, CaseIterable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    /// The size of its result in bytes.
    package var size: Int {
        switch self {
        case .sha1: yap_sha1
        case .sha256: yap_sha256
        case .sha512: yap_sha512
        }
    }
}
