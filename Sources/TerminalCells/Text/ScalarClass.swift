/// How a terminal treats a scalar.
enum ScalarClass: UInt32 {
    /// Unassigned in our version of Unicode, or private: its width is unknown.
    case unknown
    case narrow
    case wide
    /// Drawn over the character before it.
    case mark
    /// Takes no column and is invisible, or changes the direction of text: never sent.
    case hidden
    /// C0, C1 and DEL, which control a terminal.
    case control

    init(of scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x300 {
            self = value < 0x20 || (0x7F..<0xA0).contains(value) ? .control : value == 0xAD ? .hidden : .narrow
        } else {
            self = Self.lookUp(value)
        }
    }

    /// Binary search in the generated table.
    private static func lookUp(_ value: UInt32) -> ScalarClass {
        let wanted = value << 3 | 7
        var low = 0
        var high = WidthTable.ranges.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if WidthTable.ranges[middle] <= wanted { low = middle } else { high = middle }
        }
        guard let found = ScalarClass(rawValue: WidthTable.ranges[low] & 7) else {
            preconditionFailure("the width table holds a class that does not exist")
        }
        return found
    }
}

extension Unicode.Scalar {
    /// Whether it may be part of an emoji sequence with a joiner or a picture selector.
    var isPictographic: Bool {
        switch value {
        case 0x1F000...0x1FAFF: !isRegionalIndicator && !isSkinTone
        case 0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x3030, 0x303D, 0x3297, 0x3299: true
        // Arrows, technical signs and symbols, without the control pictures among them, which we write ourselves.
        case 0x2190...0x21FF, 0x2300...0x23FF, 0x2460...0x24FF, 0x25A0...0x27BF, 0x2900...0x297F, 0x2B00...0x2BFF: true
        default: false
        }
    }

    package var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }
    package var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
    /// The letter of a regional indicator: `D` for the first half of the flag of Germany.
    package var letterOfFlag: Unicode.Scalar? { isRegionalIndicator ? Unicode.Scalar(value - 0x1F1E6 + 0x41) : nil }
    /// ZERO WIDTH JOINER
    package var isJoiner: Bool { value == 0x200D }
    /// VARIATION SELECTOR-16: draw the character before it as a picture.
    package var asksForPicture: Bool { value == 0xFE0F }
}
