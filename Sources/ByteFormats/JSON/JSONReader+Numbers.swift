extension JSONReader {
    mutating func readNumber() throws(JSONError) -> JSON {
        let start = position
        let number = try readNumberText()
        if let integer = number.integer { return .integer(integer) }
        guard let double = Double(text(of: number)), double.isFinite else {
            position = start
            throw error("the number is too large")
        }
        return .number(double)
    }

    /// Reads a number's text without conversion.
    package mutating func readNumberText() throws(JSONError) -> JSONNumber {
        let start = position
        let isNegative = consume("-")
        let first = position
        var magnitude: UInt? = 0
        skipDigits { digit in magnitude = magnitude?.appending(digit) }
        guard position > first else { throw error("a digit should be here") }
        if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
            position = first + 1
            throw error("a number should not begin with 0 and go on")
        }
        var isWhole = true
        if consume(".") {
            isWhole = false
            try needDigits()
        }
        if consume("e") || consume("E") {
            isWhole = false
            if !consume("-") { _ = consume("+") }
            try needDigits()
        }
        return JSONNumber(range: start..<position, isNegative: isNegative, magnitude: isWhole ? magnitude : nil)
    }

    package func text(of number: JSONNumber) -> String { String(decoding: bytes[number.range], as: UTF8.self) }

    private mutating func needDigits() throws(JSONError) {
        let start = position
        skipDigits { _ in }
        guard position > start else { throw error("a digit should be here") }
    }

    private mutating func skipDigits(_ body: (UInt8) -> Void) {
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            body(byte - UInt8(ascii: "0"))
            position += 1
        }
    }
}

extension UInt {
    /// Returns the number with one more digit; nil on overflow.
    fileprivate func appending(_ digit: UInt8) -> UInt? {
        let (product, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt(digit))
        return overflow || carry ? nil : sum
    }
}
