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
    /// The row's identity; nil for headers. Copied only where it is needed: a comparison with nil counts references too.
    var key: RowKey?
    var picture: Picture
    /// The first line of the item in the table; negative or below the last line for one that leaves the screen.
    var y: Int
    var motion: Motion?
    /// Whether it has left the list; it is drawn as it was while it fades.
    var isGhost = false

    var isHeader: Bool { place.path == nil }
    var height: Int { picture.lines.count }
    var bottom: Int { y + height }
}

extension Item {
    /// The line on which it is seen.
    func y(at time: Double) -> Int { position(at: time).nearestInt }

    /// Where it is, between lines as well.
    func position(at time: Double) -> Double { motion?.y(to: y, at: time) ?? Double(y) }

    func alpha(at time: Double) -> Double { motion?.alpha(at: time) ?? (isGhost ? 0 : 1) }

    /// Whether it is drawn over all of its lines.
    func isAtRest(at time: Double) -> Bool {
        guard let motion else { return !isGhost }
        return !isGhost && time >= motion.moveEnd && motion.alpha(at: time) > 0
    }

    func layer(at time: Double) -> Motion.Layer {
        if isGhost { return .ghost }
        guard let motion, time < motion.moveEnd else { return .resting }
        return motion.layer
    }
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
    /// The links of the lines that have some.
    var links: [Int: [LineLink]] = [:]
}

extension Picture {
    /// A row taller than this is cut: no screen is.
    static let maxLines = 1000

    init(_ cell: RowCell, width: Int, theme: Theme) {
        let lines = cell.lines.isEmpty ? [[]] : cell.lines.prefix(Self.maxLines)
        self.init(lines: lines.map { $0.cells(width: width, level: theme.unicode) }, decorations: cell.decorations)
        for (index, line) in lines.enumerated() {
            let links = line.links(width: width, level: theme.unicode)
            if !links.isEmpty { self.links[index] = links }
        }
    }

    init(_ header: SectionHeader, width: Int, theme: Theme) {
        let measure = TextMeasure(theme.unicode)
        let title = measure.truncated(header.isVerbatim ? header.title : header.title.uppercased(), to: width)
        let detail = measure.truncated(header.detail, to: max(0, width - 1))
        let room = width - 1 - measure.width(of: detail) - (detail.isEmpty ? 0 : 1)
        let text = measure.padded(title, to: max(0, room))
        let line: Line =
            detail.isEmpty
            ? [Run(text, theme.header)] : [Run(text + " ", theme.header), Run(detail, theme.secondary)]
        self.init(lines: [line.cells(width: width, level: theme.unicode)], decorations: 1)
    }
}
