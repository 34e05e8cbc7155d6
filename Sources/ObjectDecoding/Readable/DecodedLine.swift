/// One line of a value that people read.
package struct DecodedLine: Hashable, Sendable {
    package enum Fold: Hashable, Sendable {
        /// There is nothing to fold.
        case none
        case open, closed
    }

    /// What the text shows, for its style.
    package enum Kind: Hashable, Sendable {
        case string, number, word, date, data, link, reference, error, omitted, hex
        /// The beginning of a container, or all of one that is closed or empty.
        case container
        /// The end of a container.
        case end
    }

    /// How far to indent it, from 0.
    package let depth: Int
    /// The path of the value that it shows or is part of.
    package let path: ValuePath
    package let fold: Fold
    /// The key, or the number of an element; nil at the root and on lines that go on with a value.
    package let name: String?
    package let isElement: Bool
    /// How many characters the names beside it have at most, so that values may stand below each other.
    package let nameWidth: Int
    /// The value, or its beginning. Has whatever characters the value has.
    package let text: String
    package let kind: Kind
    /// The whole value at the path, for copying.
    package let value: DecodedValue
}
