/// The emoji that can be written by name.
enum EmojiChoice {
    static let names: [String] = []

    static func replaced(in text: String) -> String { text }
}
