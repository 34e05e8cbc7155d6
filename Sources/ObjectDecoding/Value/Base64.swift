/// Base64 as RFC 4648 has it.
enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func append(_ data: [UInt8], to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4)
        var place = 0
        while place < data.count {
            let left = data.count - place
            let second = left > 1 ? UInt32(data[place + 1]) : 0
            let third = left > 2 ? UInt32(data[place + 2]) : 0
            let group = UInt32(data[place]) << 16 | second << 8 | third
            bytes.append(digit(group >> 18))
            bytes.append(digit(group >> 12))
            bytes.append(left > 1 ? digit(group >> 6) : padding)
            bytes.append(left > 2 ? digit(group) : padding)
            place += 3
        }
    }

    private static let padding = UInt8(ascii: "=")

    private static func digit(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 63)] }
}
