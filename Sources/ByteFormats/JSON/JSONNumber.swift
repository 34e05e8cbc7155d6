/// A number in a JSON text.
package struct JSONNumber: Sendable {
    /// The range of its text.
    package let range: Range<Int>
    package let isNegative: Bool
    /// Its value without the sign, if it has neither fraction nor exponent and fits.
    package let magnitude: UInt?
}

extension JSONNumber {
    /// Its value, if it has neither fraction nor exponent and fits.
    package var integer: Int? {
        guard let magnitude else { return nil }
        guard isNegative else { return Int(exactly: magnitude) }
        return magnitude <= Int.min.magnitude ? Int(bitPattern: 0 &- magnitude) : nil
    }
}
