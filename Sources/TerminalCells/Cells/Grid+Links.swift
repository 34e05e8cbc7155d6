extension Grid {
    /// A stretch of a line that opens an address.
    package struct Link: Hashable, Sendable {
        package var y: Int
        package var columns: Range<Int>
        package var address: String
    }

    /// Adds a link of a line of cells that was copied with its first cell to `x`, `y`.
    package mutating func add(_ link: LineLink, x: Int, y: Int, in clip: Rect) {
        let area = clip.intersection(bounds)
        let columns = (link.columns.lowerBound + x..<link.columns.upperBound + x).clamped(to: area.x..<area.maxX)
        guard y >= area.y, y < area.maxY, !columns.isEmpty else { return }
        links.append(Link(y: y, columns: columns, address: link.address))
    }

    /// Returns the address of each column of a line that is part of a link; nil if the line has none.
    package func addresses(ofLine y: Int) -> [Int: String]? {
        var addresses: [Int: String] = [:]
        for link in links where link.y == y {
            for x in link.columns where self[x, y].style.attributes.contains(.link) { addresses[x] = link.address }
        }
        return addresses.isEmpty ? nil : addresses
    }
}

/// A link in a line of cells.
package struct LineLink: Hashable, Sendable {
    package var columns: Range<Int>
    package var address: String

    init(_ columns: Range<Int>, _ address: String) {
        self.columns = columns
        self.address = address
    }
}

extension Array where Element == Run {
    /// Returns the links of the line in its first `width` columns. Cost: nothing without links, otherwise `width`.
    package func links(width: Int, level: UnicodeLevel) -> [LineLink] {
        guard contains(where: { $0.link != nil }) else { return [] }
        var links: [LineLink] = []
        var column = 0
        for run in self where column < width {
            let start = column
            for glyph in Glyphs(run.text, level: level, column: column, limit: width - column) {
                column += glyph.width
                if column >= width { break }
            }
            if let address = run.link { links.append(LineLink(start..<Swift.min(column, width), address)) }
        }
        return links
    }
}

extension Run {
    /// The style of the run's cells.
    var linkedStyle: Style {
        guard link != nil else { return style }
        var style = style
        style.attributes.insert(.link)
        return style
    }
}
