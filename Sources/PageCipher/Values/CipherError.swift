/// Why a file cannot be decrypted, in a sentence that says what to do.
package struct CipherError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// A setting or a key is written wrongly.
        case usage
        /// No page fits the key.
        case wrongKey
        /// The key fits, and a setting does not.
        case wrongSetting
        /// The system has no libcrypto, or no memory.
        case unavailable
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}
