/// A number in a JSON text. Valid as long as the text.
package struct JSONNumber {
    package let text: UnsafeRawBufferPointer
    /// Whether it has neither fraction nor exponent.
    package let isWhole: Bool

    package init(text: UnsafeRawBufferPointer, isWhole: Bool) { (self.text, self.isWhole) = (text, isWhole) }
}

extension JSONNumber {
    package var isNegative: Bool { text.first == UInt8(ascii: "-") }

    /// Its value without the sign, if it is whole and fits.
    package var magnitude: UInt? {
        guard isWhole else { return nil }
        var magnitude: UInt = 0
        for byte in text[(isNegative ? 1 : 0)...] {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt(byte - UInt8(ascii: "0")))
            if overflow || carry { return nil }
            magnitude = sum
        }
        return magnitude
    }

    /// Its value, if it is whole and fits.
    package var integer: Int? {
        guard let magnitude else { return nil }
        guard isNegative else { return Int(exactly: magnitude) }
        return magnitude <= Int.min.magnitude ? Int(bitPattern: 0 &- magnitude) : nil
    }

    package var string: String { String(decoding: text, as: UTF8.self) }
}
