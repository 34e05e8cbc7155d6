/// The scenarios from which one learns what a change-set is, in the order in which they are best seen.
enum Gallery {
    static let entries: [GalleryEntry] = examples + traps + defects

    /// The entry of this name; nil if there is none.
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
