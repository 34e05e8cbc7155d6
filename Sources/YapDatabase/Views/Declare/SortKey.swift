import Foundation
import ListChanges

/// The fields that decide the order of a row in a list, where these are numbers and texts: enough to compare the row without the rest of it.
///
/// A search compares the row at hand with some that are stored. Of these it reads the fields out of their bytes, and decodes no value.
struct SortKey: Equatable, Sendable {
    /// The number of each step of the order, as of ``YapOrder``.
    let numbers: [UInt64]
    /// The text of each step whose number says only how the text begins.
    let texts: [String]
}

/// How the rows of a list are compared by their keys.
struct SortKeys: Sendable {
    struct Step: Sendable {
        /// Whether a text decides between equal numbers.
        let hasText: Bool
        let isDescending: Bool
        /// Whether distances between the numbers are those of the fields. Of texts they are not.
        var isEven: Bool { !hasText }
    }

    let steps: [Step]
    /// Reads the key out of the value of a row.
    let ofRow: @Sendable (RowContent) throws -> SortKey

    func compare(_ a: SortKey, _ b: SortKey) -> ComparisonResult {
        var text = 0
        for (index, step) in steps.enumerated() {
            let (one, other) = (a.numbers[index], b.numbers[index])
            if one != other { return one < other ? .orderedAscending : .orderedDescending }
            guard step.hasText else { continue }
            let order = a.texts[text].byteOrder(to: b.texts[text])
            if order != 0 { return (order < 0) != step.isDescending ? .orderedAscending : .orderedDescending }
            text += 1
        }
        return .orderedSame
    }

    /// Returns about how far a key is from the first on the way to the last, from 0 to 1, by the first step in which they differ; nil where its
    /// numbers do not tell, or the key is not between them.
    func share(of key: SortKey, between first: SortKey, and last: SortKey) -> Double? {
        for (index, step) in steps.enumerated() {
            let (least, number, most) = (first.numbers[index], key.numbers[index], last.numbers[index])
            if least == number, number == most { continue }
            return step.isEven ? YapDatabaseViewSorting.share(of: number, between: least, and: most) : nil
        }
        return nil
    }
}
