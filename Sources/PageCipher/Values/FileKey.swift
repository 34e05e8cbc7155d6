/// The key of an encrypted file as a person has it.
package enum FileKey: Sendable {
    /// A passphrase, from which the key of the file is derived.
    case passphrase([UInt8])
    /// The key itself, with the salt if the file does not hold it.
    case raw(key: [UInt8], salt: [UInt8]?)

    /// Reads a key in SQLCipher's form: `x'…'` with 64 digits is a raw key, with 96 a key and a salt. Everything else is a passphrase.
    package init(_ text: [UInt8]) {
        let (keySize, saltSize) = (CipherParameters.keySize, CipherParameters.saltSize)
        switch Self.hexadecimal(text) {
        case let bytes? where bytes.count == keySize: self = .raw(key: bytes, salt: nil)
        case let bytes? where bytes.count == keySize + saltSize:
            self = .raw(key: Array(bytes[..<keySize]), salt: Array(bytes[keySize...]))
        default: self = .passphrase(text)
        }
    }

    /// Returns the bytes of `x'…'`; nil for anything else.
    static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
        guard text.count >= 3, text[0] | 0x20 == UInt8(ascii: "x"), text[1] == UInt8(ascii: "'"),
            text.last == UInt8(ascii: "'"), text.count % 2 == 1
        else { return nil }
        var bytes: [UInt8] = []
        let digits = text[2..<text.count - 1]
        for place in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = Self.digit(digits[place]), let low = Self.digit(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
