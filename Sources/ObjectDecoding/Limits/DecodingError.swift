/// Why a decoder rejects bytes.
struct DecodingError: Error, Hashable {
    /// How surely the bytes were meant to have this format.
    enum Certainty {
        /// Nothing suggests the format.
        case none
        /// They begin like it, as other texts might too.
        case likely
        /// They begin as only this format does: they are damaged, and no other format is tried.
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
