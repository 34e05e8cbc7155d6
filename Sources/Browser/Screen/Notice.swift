/// A sentence in place of the hints, until the next key.
struct Notice: Hashable, Sendable {
    var text: String
    var isWrong: Bool

    init(_ text: String, isWrong: Bool = false) {
        self.text = text
        self.isWrong = isWrong
    }
}
