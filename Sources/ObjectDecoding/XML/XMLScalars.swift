import ByteFormats

/// Parses the text between the tags of a property list.
enum XMLScalars {
    /// The most characters of a number: reading more digits would take long.
    static let longestNumber = 1_000

    /// Parses a decimal integer, or a hexadecimal one after `0x`.
    static func integer(_ text: String) -> PropertyListObject? {
        guard text.utf8.count <= longestNumber else { return nil }
        var digits = text.trimmed[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits.removeFirst(2) }
        guard digits.first?.isHexDigit == true, let magnitude = Int128(digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        let number = isNegative ? -magnitude : magnitude
        if let integer = Int64(exactly: number) { return .integer(integer) }
        return .wideInteger(high: Int64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
    }

    /// Parses `2016-11-05T00:53:20Z` to seconds since 2001.
    static func date(_ text: String) -> Double? {
        guard let match = text.trimmed.wholeMatch(of: /(-?\d{1,6})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?Z/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5), let second = Int(match.6), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince2001
        let fraction = match.7.flatMap { Double("0\($0)") } ?? 0
        return Double(((days * 24 + hour) * 60 + minute) * 60 + second) + fraction
    }

    /// Parses base64 with white space anywhere.
    static func data(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
        for character in text.utf8 where ![0x20, 0x09, 0x0A, 0x0D].contains(character) {
            if character == UInt8(ascii: "=") {
                padding += 1
            } else {
                let digit = base64Digits[Int(character)]
                guard digit < 64, padding == 0 else { return nil }
                bits = bits << 6 | UInt32(digit)
            }
            count += 1
            if count.isMultiple(of: 4) {
                guard padding <= 2 else { return nil }
                let group = bits << UInt32(6 * padding)
                for shift in [16, 8, 0].prefix(3 - padding) as ArraySlice<UInt32> {
                    bytes.append(UInt8(truncatingIfNeeded: group >> shift))
                }
                bits = 0
            }
        }
        return count.isMultiple(of: 4) ? bytes : nil
    }
}

/// The value of each base64 character; 64 for others.
private let base64Digits: [UInt8] = {
    var digits = [UInt8](repeating: 64, count: 256)
    for (value, character) in Base64.alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
    return digits
}()

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
