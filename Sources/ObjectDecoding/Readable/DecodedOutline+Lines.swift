extension DecodedOutline {
    /// Returns the lines in a range. Lines beyond the last are left out.
    package func lines(_ range: Range<Int>) -> [DecodedLine] {
        var widths: [Int32: Int] = [:]
        return range.clamped(to: 0..<count).map { line(Int32($0), &widths) }
    }

    package func line(_ index: Int) -> DecodedLine {
        var widths: [Int32: Int] = [:]
        return line(Int32(index), &widths)
    }

    /// Returns the first line that shows the value at a path; nil if it is folded away or does not exist.
    ///
    /// - Complexity: O(lines)
    package func line(at path: ValuePath) -> Int? {
        places.indices.first { places[$0].role != .end && self.path(Int32($0)) == path }
    }

    private func line(_ index: Int32, _ widths: inout [Int32: Int]) -> DecodedLine {
        let place = places[Int(index)]
        let value = value(index)
        let hasName = [.leaf, .closed, .open].contains(place.role)
        let name = hasName ? name(place) : nil
        return DecodedLine(
            depth: Int(place.depth), path: path(index), fold: fold(place.role), name: name?.text,
            isElement: name?.isElement ?? false, nameWidth: hasName ? nameWidth(place.parent, &widths) : 0,
            text: text(place, value), kind: place.role == .end ? .end : value.lineKind(place.role), value: value)
    }

    private func fold(_ role: Role) -> DecodedLine.Fold {
        switch role {
        case .open: .open
        case .closed: .closed
        case .leaf, .end, .textRow, .hexRow: .none
        }
    }

    private func name(_ place: Place) -> (text: String, isElement: Bool)? {
        guard place.parent >= 0, contents[place.parent] == nil else { return nil }
        guard let field = value(place.parent).fields?[Int(place.child)] else { return (String(place.child), true) }
        if case .omitted = field.key { return nil }
        return (field.name ?? field.key.summary(limit: 40), false)
    }

    /// Returns the width of the first hundred names, up to 24 characters: enough for alignment, and fast for many
    /// fields.
    private func nameWidth(_ parent: Int32, _ widths: inout [Int32: Int]) -> Int {
        guard parent >= 0, contents[parent] == nil else { return 0 }
        if let known = widths[parent] { return known }
        let container = value(parent)
        let names = container.fields?.prefix(100).compactMap { $0.name?.prefix(24).count }
        let width = names.map { $0.max() ?? 0 } ?? String(container.childCount - 1).count
        widths[parent] = width
        return width
    }
}

extension DecodedOutline {
    /// Returns the value that a line shows or is part of.
    private func value(_ index: Int32) -> DecodedValue {
        let place = places[Int(index)]
        guard place.parent >= 0 else { return root }
        if place.role == .textRow || place.role == .hexRow { return value(place.parent) }
        return contents[place.parent] ?? value(place.parent).child(Int(place.child))
    }

    private func path(_ index: Int32) -> ValuePath {
        let place = places[Int(index)]
        guard place.parent >= 0 else { return .root }
        let outer = path(place.parent)
        if place.role == .textRow || place.role == .hexRow { return outer }
        if contents[place.parent] != nil { return outer.content }
        return value(place.parent).path(ofChild: Int(place.child), at: outer)
    }

    private func text(_ place: Place, _ value: DecodedValue) -> String {
        switch place.role {
        case .leaf, .closed: return value.lineText(isOpen: false)
        case .open: return value.lineText(isOpen: true)
        case .end: return value.closing
        case .textRow:
            guard case .string(let text) = value, let rows = textRows[place.parent] else { return "" }
            return text.cut(rows[Int(place.child)])
        case .hexRow:
            guard case .bytes(let bytes, _) = value else { return "" }
            return DumpLine.text(bytes, row: Int(place.child))
        }
    }
}

extension DecodedValue {
    /// What a line that shows the value is.
    fileprivate func lineKind(_ role: DecodedOutline.Role) -> DecodedLine.Kind {
        switch self {
        case .null, .bool: .word
        case .integer, .unsigned, .double, .number: .number
        case .string: .string
        case .data: .data
        case .date: .date
        case .uuid, .url: .link
        case .array, .set, .dictionary, .object: .container
        case .reference: .reference
        case .bytes(_, let error): role == .hexRow ? .hex : error == nil ? .bytes : .error
        case .damaged: .error
        case .omitted: .omitted
        }
    }
}

/// One row of a dump: where it begins, its bytes, and the ASCII characters among them.
enum DumpLine {
    static func text(_ bytes: [UInt8], row: Int) -> String {
        let start = row * DecodedOutline.bytesPerRow
        if row == DecodedOutline.rowLimit { return "… \((bytes.count - start).grouped) more bytes" }
        let inside = bytes[start..<min(start + DecodedOutline.bytesPerRow, bytes.count)]
        let number = String(start, radix: 16)
        var text = String(repeating: "0", count: max(0, 8 - number.utf8.count)) + number + " "
        for place in 0..<DecodedOutline.bytesPerRow {
            if place == 8 { text += " " }
            text += place < inside.count ? " " + Hex.text(CollectionOfOne(bytes[start + place])) : "   "
        }
        let characters = inside.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }
        return text + "  " + String(decoding: characters, as: UTF8.self)
    }
}
