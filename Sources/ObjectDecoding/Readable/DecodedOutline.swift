/// A value as lines of readable text, formatted on demand.
///
/// - Complexity: O(lines) to create, with a few bytes a line; O(depth) to format a line.
package struct DecodedOutline: Sendable {
    /// A line as the path to its value: a child index and the line of the parent.
    struct Place {
        let parent: Int32
        let child: Int32
        let depth: UInt16
        let role: Role
    }

    enum Role: UInt8 {
        case leaf, closed, open, end, textRow, hexRow
    }

    let root: DecodedValue
    private(set) var places: [Place] = []
    /// The decoded content of data, by line, if it is open.
    private(set) var contents: [Int32: DecodedValue] = [:]
    /// The byte ranges of the lines of a text, by line, if it is open.
    private(set) var textRows: [Int32: [Range<Int>]] = [:]
    private let folding: Folding
    private let decoder: ObjectDecoder

    /// - Parameter decoder: decodes data that is open.
    package init(_ value: DecodedValue, folding: Folding = Folding(), decoder: ObjectDecoder = ObjectDecoder()) {
        (root, self.folding, self.decoder) = (value, folding, ObjectDecoder(options: decoder.options))
        add(value, parent: -1, child: 0, depth: 0, path: .root)
    }

    package var count: Int { places.count }
}

extension DecodedOutline {
    /// The most lines of text or bytes that are shown of one value.
    static let rowLimit = 100_000
    static let bytesPerRow = 16

    /// Adds a value. The path is computed only if some value's folding differs from the default, because it would cost
    /// the most.
    private mutating func add(
        _ value: DecodedValue, parent: Int32, child: Int, depth: Int, path: @autoclosure () -> ValuePath
    ) {
        let line = Int32(places.count)
        func place(_ role: Role) -> Place {
            Place(parent: parent, child: Int32(child), depth: UInt16(depth), role: role)
        }
        guard let isUsuallyOpen = value.isUsuallyOpen(isRoot: parent < 0) else { return places.append(place(.leaf)) }
        let path = folding.toggled.isEmpty ? ValuePath.root : path()
        guard folding.isOpen(path, usually: isUsuallyOpen) else { return places.append(place(.closed)) }
        places.append(place(.open))
        switch value {
        case .data(let data): addContent(of: data, line: line, depth: depth, path: path)
        case .string(let text): addRows(of: text, line: line, depth: depth)
        case .bytes(let bytes, _):
            let rows = min((bytes.count + Self.bytesPerRow - 1) / Self.bytesPerRow, Self.rowLimit + 1)
            addRows(rows, .hexRow, line: line, depth: depth)
        default:
            for index in 0..<value.childCount {
                add(
                    value.child(index), parent: line, child: index, depth: depth + 1,
                    path: value.path(ofChild: index, at: path))
            }
            places.append(place(.end))
        }
    }

    private mutating func addContent(of data: [UInt8], line: Int32, depth: Int, path: ValuePath) {
        guard depth < 500, let content = decoder.decode(content: data) else { return }
        contents[line] = content.value
        add(content.value, parent: line, child: 0, depth: depth + 1, path: path.content)
    }

    private mutating func addRows(of text: String, line: Int32, depth: Int) {
        var rows: [Range<Int>] = []
        var start = 0
        for (position, byte) in text.utf8.enumerated() where byte == 0x0A {
            guard rows.count < Self.rowLimit else { break }
            rows.append(start..<position)
            start = position + 1
        }
        rows.append(start..<text.utf8.count)
        textRows[line] = rows
        addRows(rows.count, .textRow, line: line, depth: depth)
    }

    private mutating func addRows(_ count: Int, _ role: Role, line: Int32, depth: Int) {
        for row in 0..<count {
            places.append(Place(parent: line, child: Int32(row), depth: UInt16(depth + 1), role: role))
        }
    }
}

extension DecodedValue {
    /// Whether a foldable value is open by default; nil if it is not foldable.
    fileprivate func isUsuallyOpen(isRoot: Bool) -> Bool? {
        switch self {
        case .array, .set, .dictionary, .object: childCount > 0 ? true : nil
        case .bytes(let bytes, _): bytes.isEmpty ? nil : isRoot
        case .data(let data): data.mayHaveContent ? false : nil
        case .string(let text): text.utf8.contains(0x0A) ? isRoot : nil
        default: nil
        }
    }
}
