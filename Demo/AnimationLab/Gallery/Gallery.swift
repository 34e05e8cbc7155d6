/// The scenarios that explain change-sets, in the order in which to see them.
enum Gallery {
    static let entries: [GalleryEntry] = examples + traps + defects

    /// Returns the entry of this name; nil if there is none.
    static func entry(named name: String) -> GalleryEntry? { entries.first { $0.name == name } }

    private static let examples: [GalleryEntry] = [
        .roster, .lastMessages, .scrolledBack, .topBooks, .reversedSalesRank, .deletedHi,
    ]
    private static let traps: [GalleryEntry] = [.samePath, .looksLikeAnUpdate]
    private static let defects: [GalleryEntry] = [
        .rangeToRange, .rangeToRangeWithoutEnd, .slidingWithAnOffset, .leastLengthWithAnOffset, .sectionOfARange,
        .phantomRows, .consolidationTwice, .farNeighbours, .staleSections, .negativeReversed,
    ]
}
