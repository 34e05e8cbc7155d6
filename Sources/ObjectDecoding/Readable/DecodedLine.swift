/// One line of a value in readable form.
package struct DecodedLine: Hashable, Sendable {
    package enum Fold: Hashable, Sendable {
        /// Nothing can be folded.
        case none
        case open, closed
    }

    /// What the text shows; it determines the style.
    package enum Kind: Hashable, Sendable {
        case string, number, word, date, data, link, reference, error, omitted
        /// The number of bytes, and their format if it is known.
        case bytes
        /// Some of the bytes in hexadecimal form.
        case hex
        /// The beginning of a container, or all of a container that is folded or empty.
        case container
        /// The end of a container.
        case end
    }

    /// The indentation level, from 0.
    package let depth: Int
    /// The path of the value that the line shows or is part of.
    package let path: ValuePath
    package let fold: Fold
    /// The key, or the index of an element; nil at the root and on continuation lines.
    package let name: String?
    package let isElement: Bool
    /// The length in characters of the longest name in the same container, for aligning values.
    package let nameWidth: Int
    /// The value or its beginning. May contain any characters.
    package let text: String
    package let kind: Kind
    /// The complete value at the path, for copying.
    package let value: DecodedValue
}
