import LiveTable

/// The scenarios that explain change-sets, in the order in which to see them.
enum Gallery {
    static let entries: [GalleryEntry] = examples + related + traps + defects

    /// Returns the entry of this name; nil if there is none.
    static func entry(named name: String) -> GalleryEntry? { entries.first { $0.name == name } }

    private static let examples: [GalleryEntry] = [
        .roster, .lastMessages, .scrolledBack, .topBooks, .reversedSalesRank, .deletedHi,
    ]
    private static let related: [GalleryEntry] = [.inbox, .board, .tags, .agenda, .chatRoster]
    private static let traps: [GalleryEntry] = [.samePath, .looksLikeAnUpdate]
    private static let defects: [GalleryEntry] = [
        .rangeToRange, .rangeToRangeWithoutEnd, .slidingWithAnOffset, .leastLengthWithAnOffset, .sectionOfARange,
        .phantomRows, .consolidationTwice, .farNeighbours, .staleSections, .negativeReversed,
    ]
}

/// The names of the gallery's scenarios.
public let galleryNames = Gallery.entries.map(\.name)

/// Returns the names of the gallery's scenarios, one a line, with their subjects: `yap lab --gallery`.
///
/// - Parameter asJSON: as lines of JSON.
public func galleryList(asJSON: Bool) -> String {
    asJSON ? Gallery.entries.map { "\($0.summaryJSON)\n" }.joined() : Gallery.list
}

/// Returns a scenario of the gallery with all its steps side by side, run on a database: `yap lab --gallery NAME`.
///
/// - Parameter asJSON: as one line of JSON, which is also a scenario for `yap lab --replay`.
/// - Throws: if there is no such scenario, an error that lists the existing names.
@MainActor public func galleryEntry(named name: String, asJSON: Bool) throws -> String {
    guard let entry = Gallery.entry(named: name) else { throw UnknownName(name: name) }
    try Terminal.checkDescriptors()
    let comparisons = try inScratchFolder { try entry.comparisons(in: $0) }
    return asJSON ? "\(entry.json(comparisons))\n" : entry.text(comparisons)
}

private struct UnknownName: Error, CustomStringConvertible {
    let name: String

    var description: String {
        "The gallery has no \"\(name)\"; there are \(Gallery.entries.map(\.name).joined(separator: ", "))."
    }
}
