/// The limits of decoding. What goes beyond is left out, and a mark says so.
package struct DecodingOptions: Hashable, Sendable {
    /// Values inside values. At most 500, so that nothing that recurses over a value uses up a thread's stack.
    package var depthLimit = 100
    /// Values in one row, with those of a shared object counted at every place that shows it.
    package var valueLimit = 200_000
    /// Bytes of text and data in one row, counted likewise. Never less than four times the size of the row.
    package var textLimit = 16 << 20
    /// Bytes that compressed ones may become.
    package var inflatedLimit = 8 << 20
    /// Compressed bytes inside compressed bytes.
    package var layerLimit = 4

    package init() {}

    /// Limits that no value an app stores comes to, for output that is to be whole.
    /// - Parameter size: the bytes to be decoded, which bound the memory.
    package static func whole(_ size: Int) -> DecodingOptions {
        var options = DecodingOptions()
        options.depthLimit = 500
        options.valueLimit = max(1_000_000, 4 * size)
        options.textLimit = max(64 << 20, 16 * size)
        options.inflatedLimit = 128 << 20
        return options
    }
}
