import ByteFormats

/// The objects of an XML property list, in the same form as those of a binary one.
struct XMLPropertyListArena: PropertyListSource {
    private(set) var objects: [PropertyListObject] = []
    private(set) var root = 0
    private var references: [Int] = []
    private var texts: [String] = []
    private var datas: [[UInt8]] = []

    var count: Int { objects.count }

    func object(_ index: Int) throws(MalformedPropertyList) -> PropertyListObject {
        guard index >= 0, index < objects.count else { throw MalformedPropertyList("a reference leads nowhere") }
        return objects[index]
    }

    func reference(_ children: PropertyListObject.Children, _ place: Int) -> Int {
        references[children.start + place]
    }

    func string(_ piece: PropertyListObject.Piece) -> String { texts[piece.start] }
    /// The whole text was read as UTF-8.
    func isUnicode(_ piece: PropertyListObject.Piece) -> Bool { true }
    func data(_ piece: PropertyListObject.Piece) -> [UInt8] { datas[piece.start] }

    func string(_ piece: PropertyListObject.Piece, is text: StaticString) -> Bool {
        let string = texts[piece.start]
        guard string.utf8.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { string.utf8.elementsEqual($0) }
    }
}

extension XMLPropertyListArena {
    /// Appends an object and returns its index. The last one appended is the root.
    mutating func add(_ object: PropertyListObject) -> Int {
        objects.append(object)
        root = objects.count - 1
        return root
    }

    mutating func add(text: String) -> Int {
        texts.append(text)
        return add(.string(PropertyListObject.Piece(start: texts.count - 1, byteCount: text.utf8.count)))
    }

    mutating func add(data: [UInt8]) -> Int {
        datas.append(data)
        return add(.data(PropertyListObject.Piece(start: datas.count - 1, byteCount: data.count)))
    }

    mutating func add(array elements: ArraySlice<Int>) -> Int {
        add(.array(children(elements, count: elements.count)))
    }

    /// Appends a dictionary, given keys and values in turn.
    mutating func add(dictionary pairs: ArraySlice<Int>) -> Int {
        if let uid = uid(pairs) { return add(.uid(uid)) }
        let keys = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2).map { pairs[$0] }
        let values = stride(from: pairs.startIndex + 1, to: pairs.endIndex, by: 2).map { pairs[$0] }
        return add(.dictionary(children(keys[...] + values, count: keys.count)))
    }

    private mutating func children(_ indices: ArraySlice<Int>, count: Int) -> PropertyListObject.Children {
        references += indices
        return PropertyListObject.Children(start: references.count - indices.count, count: count)
    }

    /// Returns the reference if the pairs are one: XML archives write it as a dictionary with the single key `CF$UID`.
    private func uid(_ pairs: ArraySlice<Int>) -> Int? {
        guard pairs.count == 2, isKey(pairs[pairs.startIndex], "CF$UID"),
            case .integer(let uid) = objects[pairs[pairs.startIndex + 1]], uid >= 0
        else { return nil }
        return Int(uid)
    }
}
