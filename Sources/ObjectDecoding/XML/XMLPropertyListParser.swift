import ByteFormats

/// Reads an XML property list into an arena, with one loop and an explicit stack.
struct XMLPropertyListParser {
    private struct Open {
        let isDictionary: Bool
        /// The index of its first child among those of all open containers.
        let start: Int
    }

    private var scanner: XMLScanner
    private var arena = XMLPropertyListArena()
    private var open: [Open] = []
    /// Indices of the children; in dictionaries keys and values in turn.
    private var children: [Int] = []
    private let objectLimit: Int

    private init(_ bytes: UnsafeRawBufferPointer, objectLimit: Int) {
        scanner = XMLScanner(bytes)
        self.objectLimit = objectLimit
    }

    static func parse(
        _ bytes: UnsafeRawBufferPointer, objectLimit: Int
    ) throws(DecodingError) -> XMLPropertyListArena {
        var parser = XMLPropertyListParser(bytes, objectLimit: objectLimit)
        return try parser.parse()
    }

    private mutating func parse() throws(DecodingError) -> XMLPropertyListArena {
        var first = try scanner.tag()
        let isWrapped = first == .open("plist")
        if isWrapped { first = try scanner.tag() }
        try read(first)
        while !open.isEmpty { try read(scanner.tag()) }
        if isWrapped, try scanner.tag() != .close("plist") { throw scanner.error("the list should end here") }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.error("nothing should follow the list") }
        return arena
    }

    private mutating func read(_ piece: XMLScanner.Piece) throws(DecodingError) {
        guard arena.count < objectLimit else {
            throw scanner.error("there are more than \(objectLimit.grouped) values")
        }
        switch piece {
        case .open("dict"): try begin(isDictionary: true)
        case .open("array"): try begin(isDictionary: false)
        case .close("dict"): try end(isDictionary: true)
        case .close("array"): try end(isDictionary: false)
        case .empty("dict"): try add(arena.add(dictionary: []))
        case .empty("array"): try add(arena.add(array: []))
        case .empty(let name): try add(scalar(name, text: ""), isKey: name == "key")
        case .open(let name):
            let text = try scanner.text()
            guard try scanner.tag() == .close(name) else { throw scanner.error("<\(name)> should end here") }
            try add(scalar(name, text: text), isKey: name == "key")
        case .close(let name): throw scanner.error("</\(name)> closes nothing")
        }
    }

    private mutating func begin(isDictionary: Bool) throws(DecodingError) {
        try check(isKey: false)
        open.append(Open(isDictionary: isDictionary, start: children.count))
    }

    private mutating func end(isDictionary: Bool) throws(DecodingError) {
        guard let closed = open.popLast(), closed.isDictionary == isDictionary else {
            throw scanner.error("a tag is closed that is not open")
        }
        let inside = children[closed.start...]
        guard !isDictionary || inside.count.isMultiple(of: 2) else { throw scanner.error("a key has no value") }
        let index = isDictionary ? arena.add(dictionary: inside) : arena.add(array: inside)
        children.removeSubrange(closed.start...)
        try add(index)
    }

    private mutating func add(_ index: Int, isKey: Bool = false) throws(DecodingError) {
        try check(isKey: isKey)
        if !open.isEmpty { children.append(index) }
    }

    private func check(isKey: Bool) throws(DecodingError) {
        let needsKey = open.last.map { $0.isDictionary && (children.count - $0.start).isMultiple(of: 2) } ?? false
        guard needsKey == isKey else {
            throw scanner.error(needsKey ? "a key should stand before the value" : "a key should not be here")
        }
    }
}

extension XMLPropertyListParser {
    private mutating func scalar(_ name: String, text: String) throws(DecodingError) -> Int {
        switch name {
        case "string", "key": return arena.add(text: text)
        case "true": return arena.add(.bool(true))
        case "false": return arena.add(.bool(false))
        case "integer":
            guard let integer = XMLScalars.integer(text) else { throw scanner.error("this is no integer") }
            return arena.add(integer)
        case "real":
            guard text.utf8.count <= XMLScalars.longestNumber, let real = Double(text.trimmed) else {
                throw scanner.error("this is no number")
            }
            return arena.add(.real(real))
        case "date":
            guard let seconds = XMLScalars.date(text) else { throw scanner.error("this is no date") }
            return arena.add(.date(seconds))
        case "data":
            guard let data = XMLScalars.data(text) else { throw scanner.error("this is no base64") }
            return arena.add(data: data)
        default: throw scanner.error("<\(name)> is not part of property lists")
        }
    }
}
