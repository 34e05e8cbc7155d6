/// Reads some members of an object. All other text is checked as strictly, and nothing is made of it.
extension JSONScanner {
    /// The most containers that may be open at once: one bit each.
    package static let memberDepth = 64

    /// Finds the members that have one of the names, the first of each name.
    /// - Parameters:
    ///   - text: must be UTF-8.
    ///   - members: gets the text of each value, which is valid JSON, at its name's place among `names`, and nil where there is none. Of no
    ///     use if the result is false.
    /// - Returns: whether all of the text is one object in JSON, with escaped halves of surrogate pairs allowed, in which at most
    ///   ``memberDepth`` containers are open at once.
    package static func find(
        _ names: JSONMemberNames, in text: UnsafeRawBufferPointer, _ members: inout [UnsafeRawBufferPointer?]
    ) -> Bool {
        members.removeAll(keepingCapacity: true)
        members.append(contentsOf: repeatElement(nil, count: names.texts.count))
        var scanner = JSONScanner(text, repairsSurrogates: true, isUTF8: true)
        return (try? scanner.readMembers(names, &members)) != nil
    }

    private mutating func readMembers(
        _ names: JSONMemberNames, _ members: inout [UnsafeRawBufferPointer?]
    ) throws(JSONError) {
        guard consume("{") else { throw error("an object should be here") }
        skipSpace()
        if !consume("}") {
            repeat {
                skipSpace()
                let place = try memberName(names)
                skipSpace()
                let start = position
                try skipValue()
                if let place, members[place] == nil {
                    members[place] = UnsafeRawBufferPointer(rebasing: text[start..<position])
                }
                skipSpace()
            } while consume(",")
            guard consume("}") else { throw error("a comma or the end of the object should be here") }
        }
        skipSpace()
        guard isAtEnd else { throw error("nothing should follow the value") }
    }

    /// Reads a name and the colon behind it.
    /// - Returns: its place among the names.
    private mutating func memberName(_ names: JSONMemberNames) throws(JSONError) -> Int? {
        guard current == Self.quote else { throw error("the name of a member should be here, in quotes") }
        let place: Int?
        if let plain = try string() {
            place = names.place(of: plain)
        } else {
            place = unescaped.withUnsafeBytes { names.place(of: $0) }
        }
        skipSpace()
        guard consume(":") else { throw error("a colon should be here") }
        return place
    }

    private static let quote = UInt8(ascii: "\"")

    private mutating func skipString() throws(JSONError) {
        let end = text.firstSpecial(from: position + 1)
        if end < text.count, text[end] == Self.quote { position = end + 1 } else { _ = try string() }
    }

    /// Checks the value at the position and goes behind it.
    private mutating func skipValue() throws(JSONError) {
        // One bit for each open container, the last opened one lowest: whether it is an object.
        var (open, depth): (UInt64, Int) = (0, 0)
        repeat {
            skipSpace()
            switch current {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                // The object whose members are read is open too.
                guard depth + 1 < Self.memberDepth else { throw error("values should not nest deeper") }
                let isObject = current == UInt8(ascii: "{")
                position += 1
                (open, depth) = (open << 1 | (isObject ? 1 : 0), depth + 1)
                skipSpace()
                if current != Self.closing(open) {
                    if isObject { try skipName() }
                    continue
                }
            case Self.quote: try skipString()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            default: _ = try number()
            }
            try finish(&open, &depth)
        } while depth > 0
    }

    /// Closes the containers that end after a value, up to the next value.
    private mutating func finish(_ open: inout UInt64, _ depth: inout Int) throws(JSONError) {
        while depth > 0 {
            skipSpace()
            if consume(",") {
                skipSpace()
                if open & 1 == 1 { try skipName() }
                return
            }
            guard current == Self.closing(open) else { throw error("a comma or the end should be here") }
            position += 1
            (open, depth) = (open >> 1, depth - 1)
        }
    }

    private static func closing(_ open: UInt64) -> UInt8 { UInt8(ascii: open & 1 == 1 ? "}" : "]") }

    private mutating func skipName() throws(JSONError) {
        guard current == Self.quote else { throw error("the name of a member should be here, in quotes") }
        try skipString()
        skipSpace()
        guard consume(":") else { throw error("a colon should be here") }
    }
}
