import YapDatabase

/// Names for new rows and texts.
package enum LabNames {
    private static let words = [
        "almond", "basil", "clover", "dill", "elder", "fennel", "ginger", "hazel", "iris", "juniper", "lemon", "mint",
        "nettle", "olive", "pepper", "quince", "rosemary", "sage", "thyme", "willow",
    ]

    /// Returns `k12` if there is no key beyond `k11`.
    package static func newKey(in rows: LabRows) -> String {
        let numbers = rows.contents.keys.lazy.compactMap { $0.key.first == "k" ? Int($0.key.dropFirst()) : nil }
        return "k\((numbers.max() ?? 0) + 1)"
    }

    /// Returns a word for a key, always the same.
    package static func text(ofKey key: String) -> String {
        let number = key.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff }
        return words[number % words.count]
    }

    /// Returns `basil 2` after `basil`, then `basil 3`: a changed text that differs from the one before.
    package static func next(after text: String) -> String {
        let parts = text.split(separator: " ")
        guard parts.count > 1, let number = parts.last.flatMap({ Int($0) }), number < Int.max else {
            return text + " 2"
        }
        return parts.dropLast().joined(separator: " ") + " \(number + 1)"
    }
}
