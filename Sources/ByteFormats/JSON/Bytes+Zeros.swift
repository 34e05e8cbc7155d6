extension [UInt8] {
    /// Appends zeros, to be overwritten. Those of `repeatElement` are appended one by one in debug builds, a megabyte in a second.
    package mutating func appendZeros(_ count: Int) {
        var left = count
        while left > 0 {
            let part = zeros.prefix(left)
            append(contentsOf: part)
            left -= part.count
        }
    }
}

private let zeros = [UInt8](repeating: 0, count: 1 << 16)
