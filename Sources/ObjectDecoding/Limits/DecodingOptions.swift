/// The limits of decoding. A mark replaces what exceeds them.
package struct DecodingOptions: Hashable, Sendable {
    /// The most levels of nesting. At most 500, so that recursion over a value fits a thread's stack.
    package var depthLimit = 100
    /// The most values in one row. A shared object counts at each place that shows it.
    package var valueLimit = 200_000
    /// The most bytes of text and data in one row, counted in the same way. Never less than four times the size of the
    /// row.
    package var textLimit = 16 << 20
    /// The most bytes that compressed ones may expand to; 16 times as many for complete output.
    package var inflatedLimit = 8 << 20
    /// The most levels of compressed bytes inside compressed bytes.
    package var layerLimit = 4

    package init() {}

    /// Limits above those of any real value, for complete output.
    /// - Parameter size: the number of bytes to be decoded, which bounds the memory.
    package func whole(_ size: Int) -> DecodingOptions {
        var options = self
        options.depthLimit = 500
        options.valueLimit = max(1_000_000, 4 * size)
        options.textLimit = max(64 << 20, 16 * size)
        options.inflatedLimit = 16 * inflatedLimit
        return options
    }
}
