/// Why a decoder cannot make anything of bytes.
struct DecodingError: Error, Hashable {
    /// How surely the bytes were meant to have this format.
    enum Certainty {
        /// Nothing speaks for it.
        case none
        /// They begin like it, as other texts also might.
        case likely
        /// They begin as nothing else does: they are damaged, and no other format is tried.
        case sure
    }

    let sentence: String
    let certainty: Certainty

    init(_ sentence: String, _ certainty: Certainty = .none) {
        self.sentence = sentence
        self.certainty = certainty
    }

    var isLikely: Bool { certainty == .likely }
    var isSure: Bool { certainty == .sure }
}
