import ByteFormats

/// Walks over a binary property list, plain or as a keyed archive, and reports its parts in the order and form of
/// ``PropertyListDecoder``.
///
/// Open containers are on an explicit stack, so nesting has no limit. An object that appears at several places is
/// written at each; inside itself it becomes a reference.
struct PropertyListStream {
    /// A container that is open, and how far it is written.
    struct Open {
        enum Kind {
            case list
            case set
            case dictionary
            /// A dictionary that describes an object; its class is not a field.
            case object
        }
        let kind: Kind
        /// Its index in the table; nil for the table of an archive's values.
        let index: Int?
        /// Where the references of keys begin, and those of values.
        var keys = PropertyListObject.Children(start: 0, count: 0)
        let values: PropertyListObject.Children
        var firstValue = 0
        let count: Int
        /// Where its keys begin among those that are kept; nil for a list and for a dictionary of very many keys.
        var firstKey: Int?
        /// The index of the child being written.
        var place = -1
    }

    let table: PropertyListTable
    /// The table of a keyed archive; nil for a plain list.
    let archived: PropertyListObject.Children?
    var open: [Open] = []
    /// For each object its position on the stack plus one, while it is open.
    var levels: [Int32]
    var classes: [(entry: Int, type: ArchivedClass, name: PropertyListObject.Piece)] = []
    /// The bytes that may still be written: objects that appear at many places expand a few bytes to many.
    private var budget: Int
    private var scratch: [UInt8] = []
    /// The names of the fields of the open dictionaries and objects, which are all checked before the first is written.
    private var keys: [PropertyListObject.Piece] = []

    /// The most keys of one dictionary that are kept.
    private static let keptKeys = 1_000
    /// The bytes that any value may expand to, and the allowed multiple of its size.
    private static let budgetLimit = 16 << 20
    private static let growthLimit = 64

    /// Writes a list to a sink.
    /// - Throws: a refusal if the list is damaged or has one of the rarer forms.
    static func write(_ bytes: UnsafeRawBufferPointer, to sink: inout some ValueSink) throws(Refusal) {
        do throws(MalformedPropertyList) {
            let table = try PropertyListTable(bytes)
            do throws(MalformedPropertyList) {
                let (objects, top) = try PropertyLists.table(table)
                var stream = PropertyListStream(table, archived: objects, size: bytes.count)
                if top.count == 1 {
                    try stream.run(table.reference(top, 1), &sink)
                } else {
                    try stream.begin(.dictionary, nil, keys: top, values: top, firstValue: top.count, top.count, &sink)
                    try stream.run(nil, &sink)
                }
            } catch .notAnArchive {
                var stream = PropertyListStream(table, archived: nil, size: bytes.count)
                try stream.run(table.root, &sink)
            }
        } catch {
            throw Refusal()
        }
    }

    private init(_ table: PropertyListTable, archived: PropertyListObject.Children?, size: Int) {
        self.table = table
        self.archived = archived
        levels = Array(repeating: 0, count: table.count)
        budget = max(Self.budgetLimit, Self.growthLimit * size)
    }

    private mutating func run(_ root: Int?, _ sink: inout some ValueSink) throws(MalformedPropertyList) {
        if let root { try write(root, &sink) }
        while let last = open.indices.last {
            open[last].place += 1
            let container = open[last]
            guard container.place < container.count else {
                close(container, &sink)
                continue
            }
            if container.kind == .list || container.kind == .set {
                sink.element(isFirst: container.place == 0)
            } else {
                let key =
                    if let first = container.firstKey {
                        keys[first + container.place]
                    } else {
                        try keyText(table.reference(container.keys, container.place))
                    }
                if container.kind == .object, table.string(key, is: "$class") { continue }
                try write(key, as: .key(isFirst: container.kind == .dictionary && container.place == 0), &sink)
            }
            try write(table.reference(container.values, container.firstValue + container.place), &sink)
        }
    }

    private mutating func close(_ container: Open, _ sink: inout some ValueSink) {
        open.removeLast()
        if let index = container.index { levels[index] = 0 }
        if let firstKey = container.firstKey { keys.removeLast(keys.count - firstKey) }
        switch container.kind {
        case .list, .set: sink.endList(isSet: container.kind == .set)
        case .dictionary, .object: sink.endFields()
        }
    }

    mutating func write(_ index: Int, _ sink: inout some ValueSink) throws(MalformedPropertyList) {
        try spend(1)
        switch try table.object(index) {
        case .null: sink.null()
        case .bool(let bool): sink.bool(bool)
        case .integer(let integer): sink.integer(integer)
        case .wideInteger(let high, let low): write(wide: .wide(high: high, low: low), &sink)
        case .real(let real): sink.double(real)
        case .date(let seconds): sink.date(seconds)
        case .data(let piece): try write(data: piece, &sink)
        case .string(let piece): try write(piece, as: .text, &sink)
        case .uid(let uid):
            let entry = try entry(uid)
            guard entry != 0 else { return sink.null() }
            try write(entry, &sink)
        case .array(let elements): try begin(.list, index, values: elements, elements.count, &sink)
        case .set(let elements): try begin(.set, index, values: elements, elements.count, &sink)
        case .dictionary(let children): try writeDictionary(children, index, &sink)
        }
    }

    private func write(wide value: DecodedValue, _ sink: inout some ValueSink) {
        var text =
            switch value {
            case .integer(let integer): String(integer)
            case .unsigned(let integer): String(integer)
            default: value.json
            }
        text.withUTF8 { sink.number(JSONNumber(text: UnsafeRawBufferPointer($0), isWhole: false)) }
    }

    /// Returns the index in the table of a UID's target; 0 for null.
    func entry(_ uid: Int) throws(MalformedPropertyList) -> Int {
        guard let archived, uid < archived.count else { throw .refused }
        guard uid != 0 else { return 0 }
        let entry = table.reference(archived, uid)
        if entry == 0 { throw .refused }
        if case .uid = try table.object(entry) { throw .refused }
        return entry
    }

    /// Opens a container; one that is open already becomes a reference instead, whatever its kind.
    mutating func begin(
        _ kind: Open.Kind, _ index: Int?,
        keys: PropertyListObject.Children = PropertyListObject.Children(start: 0, count: 0),
        values: PropertyListObject.Children, firstValue: Int = 0, _ count: Int,
        className: PropertyListObject.Piece? = nil, _ sink: inout some ValueSink
    ) throws(MalformedPropertyList) {
        if let index, levels[index] > 0 { return try refer(toOpen: Int(levels[index]), &sink) }
        let firstKey = count <= Self.keptKeys && (kind == .dictionary || kind == .object) ? self.keys.count : nil
        if kind == .dictionary || kind == .object {
            for place in 0..<count {
                let key = try keyText(table.reference(keys, place), mayBeReference: kind == .dictionary)
                if firstKey != nil { self.keys.append(key) }
            }
        }
        if kind == .dictionary { sink.beginDictionary() }
        if let className { try write(className, as: .className, &sink) }
        if kind == .list || kind == .set { sink.beginList(isSet: kind == .set) }
        open.append(
            Open(
                kind: kind, index: index, keys: keys, values: values, firstValue: firstValue, count: count,
                firstKey: firstKey))
        if let index { levels[index] = Int32(open.count) }
    }

    /// Writes a reference to an open container. Each part of its path is paid for: a chain of a thousand containers with a reference in each is
    /// longer written than read.
    private mutating func refer(toOpen level: Int, _ sink: inout some ValueSink) throws(MalformedPropertyList) {
        var path = ValuePath.root
        for container in open[..<(level - 1)] {
            switch container.kind {
            case .list, .set:
                try spend(Self.bytesOfPlace)
                path.append(element: container.place)
            case .dictionary, .object:
                let key = try keyText(table.reference(container.keys, container.place))
                try spend(Self.bytesOfPlace + key.byteCount)
                path.append(field: table.string(key))
            }
        }
        sink.reference(path)
    }

    /// What a part of a path has besides its name, about.
    private static let bytesOfPlace = 4

    /// Returns the text of a key; keys other than strings are refused.
    private func keyText(_ index: Int, mayBeReference: Bool = true) throws(MalformedPropertyList)
        -> PropertyListObject.Piece
    {
        switch try table.object(index) {
        case .string(let piece): return piece
        case .uid(let uid) where mayBeReference:
            if case .string(let piece) = try table.object(try entry(uid)) { return piece }
        default: break
        }
        throw .refused
    }

    mutating func spend(_ bytes: Int) throws(MalformedPropertyList) {
        budget -= bytes
        if budget < 0 { throw .refused }
    }
}

extension PropertyListStream {
    enum Role {
        case text, url, className
        case key(isFirst: Bool)
    }

    mutating func write(
        _ piece: PropertyListObject.Piece, as role: Role, _ sink: inout some ValueSink
    ) throws(MalformedPropertyList) {
        try spend(piece.byteCount)
        let bytes = table.bytes(piece)
        guard piece.isUTF16 else {
            guard bytes.isUTF8 else { throw .refused }
            return Self.hand(bytes, as: role, &sink)
        }
        guard table.isUnicode(piece) else { throw .refused }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(utf16: bytes)
        scratch.withUnsafeBytes { Self.hand($0, as: role, &sink) }
    }

    private static func hand(_ text: UnsafeRawBufferPointer, as role: Role, _ sink: inout some ValueSink) {
        switch role {
        case .text: sink.text(text)
        case .url: sink.url(text)
        case .className: sink.beginObject(className: text)
        case .key(let isFirst): sink.key(text, isFirst: isFirst)
        }
    }

    mutating func write(data piece: PropertyListObject.Piece, _ sink: inout some ValueSink)
        throws(MalformedPropertyList)
    {
        try spend(piece.byteCount)
        sink.data(table.bytes(piece))
    }
}

extension MalformedPropertyList {
    /// Does not say what is wrong, only that the stream does not write the list.
    static let refused = MalformedPropertyList("it is not written as a stream")
}

extension [UInt8] {
    /// Appends big-endian UTF-16 as UTF-8.
    /// - Parameter bytes: without halves of surrogate pairs that stand alone.
    fileprivate mutating func append(utf16 bytes: UnsafeRawBufferPointer) {
        var place = 0
        func unit() -> UInt32 {
            defer { place += 2 }
            return UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
        }
        while place + 1 < bytes.count {
            let first = unit()
            let scalar = first >> 11 == 0x1B ? 0x10000 + (first - 0xD800) << 10 + (unit() - 0xDC00) : first
            if let utf8 = Unicode.Scalar(scalar).flatMap(Unicode.UTF8.encode) { append(contentsOf: utf8) }
        }
    }
}
