/// Hexadecimal text, two digits a byte.
package enum Hex {
    static func append(_ data: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        digits.withUnsafeBufferPointer { digits in
            for byte in data {
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    package static func text(_ data: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        append(data, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
