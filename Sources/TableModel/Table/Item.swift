import ListChanges

/// A header or a row of the list.
enum Place: Hashable, Comparable, Sendable {
    case header(section: Int)
    case row(RowPath)

    var section: Int {
        switch self {
        case .header(let section): section
        case .row(let path): path.section
        }
    }

    var path: RowPath? {
        if case .row(let path) = self { path } else { nil }
    }

    static func < (a: Place, b: Place) -> Bool {
        a.section != b.section ? a.section < b.section : a.row < b.row
    }

    /// The row in the section; the header comes before the first.
    private var row: Int {
        switch self {
        case .header: -1
        case .row(let path): path.row
        }
    }
}

/// The drawn lines of a header or a row, its line at rest, and its motion.
struct Item: Sendable {
    var place: Place
    /// The row's identity; nil for headers.
    var key: RowKey?
    var picture: Picture
    /// The first line of the item in the table; negative or below the last line for one that leaves the screen.
    var y: Int
    var motion: Motion?
    /// Whether it has left the list; it is drawn as it was while it fades.
    var isGhost = false

    var height: Int { picture.lines.count }
    var bottom: Int { y + height }
}

extension Array where Element == Item {
    /// Returns the item at a place. The items must be in the order of the list. O(log n).
    func item(at place: Place) -> Item? { index(of: place).map { self[$0] } }

    func index(of place: Place) -> Int? {
        // Most changes of a large change-set are far from the screen.
        guard let first, let last, place >= first.place, place <= last.place else { return nil }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].place == place ? low : nil
    }
}

/// The drawn lines of a header or a row, each as wide as the table allows.
struct Picture: Hashable, Sendable {
    var lines: [[Grid.Cell]]
    /// The number of lines at the top without a selection bar.
    var decorations: Int
}
