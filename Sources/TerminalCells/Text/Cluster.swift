/// The scalars that a terminal draws in one place, added one by one.
struct Cluster {
    /// The most marks on one character. Terminals cut more, each at a different number.
    static let maxMarks = 3

    private(set) var parts: [Unicode.Scalar]
    /// Whether a selector requested a picture, which is two columns wide.
    private(set) var isPicture = false
    /// Whether selectors, skin tones and joined pictures are kept, which make the picture two columns wide; otherwise only the first is.
    private let keepsPictures: Bool
    private let isPictographic: Bool
    private var isJoining = false
    private var marks = 0

    init(_ first: Unicode.Scalar, keepsPictures: Bool) {
        parts = [first]
        self.keepsPictures = keepsPictures
        isPictographic = first.isPictographic
    }

    /// Adds or drops a scalar that belongs to the cluster; returns false if it begins the next one.
    mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        if isPictographic, acceptPicture(scalar) {
            if keepsPictures { parts.append(scalar) }
            return true
        }
        switch ScalarClass(of: scalar) {
        case .mark:
            marks += 1
            if marks <= Self.maxMarks { parts.append(scalar) }
            return true
        case .hidden: return true
        case .unknown, .narrow, .wide, .control: return false
        }
    }

    private mutating func acceptPicture(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.asksForPicture {
            isPicture = keepsPictures
        } else if scalar.isJoiner {
            isJoining = true
        } else if isJoining, scalar.isPictographic {
            isJoining = false
        } else {
            return scalar.isSkinTone
        }
        return true
    }
}
