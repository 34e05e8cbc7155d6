import ByteFormats

/// Decodes property lists of any encoding, plain or archived. `damage` describes damage in an otherwise good value;
/// `isInexact` says whether a text of it is no Unicode.
enum PropertyLists {
    typealias Outcome = (value: DecodedValue, damage: String?, isInexact: Bool)

    /// Decodes a plain list; of an archive, its table.
    static func plain(
        _ source: some PropertyListSource, _ budget: Budget
    ) throws(MalformedPropertyList) -> Outcome {
        _ = try source.object(source.root)
        var decoder = PropertyListDecoder(source, budget: budget)
        let value = decoder.value(at: source.root)
        return (value, decoder.budget.damage.map(sentence), decoder.budget.isInexact)
    }

    /// Decodes the archived value.
    static func archive(
        _ source: some PropertyListSource, _ budget: Budget
    ) throws(MalformedPropertyList) -> Outcome {
        let (objects, top) = try table(source)
        var decoder = PropertyListDecoder(source, archived: objects, budget: budget)
        // Nearly all archives have one value, named `root`.
        let value = top.count == 1 ? decoder.value(at: source.reference(top, 1)) : decoder.dictionary(top)
        if case .damaged(let problem) = value { throw MalformedPropertyList(problem) }
        return (value, decoder.budget.damage.map(sentence), decoder.budget.isInexact)
    }

    static func isArchive(_ source: some PropertyListSource) -> Bool { (try? table(source)) != nil }

    static func table(
        _ source: some PropertyListSource
    ) throws(MalformedPropertyList) -> (objects: PropertyListObject.Children, top: PropertyListObject.Children) {
        guard case .dictionary(let root) = try source.object(source.root), source.field("$archiver", of: root) != nil,
            let objects = source.field("$objects", of: root), let top = source.field("$top", of: root)
        else { throw .notAnArchive }
        guard case .array(let objects) = try source.object(objects), case .dictionary(let top) = try source.object(top)
        else { throw MalformedPropertyList("its table of objects is missing") }
        return (objects, top)
    }

    private static func sentence(_ problem: String) -> String { MalformedPropertyList(problem).description }
}

extension MalformedPropertyList {
    static let notAnArchive = MalformedPropertyList("it is not a keyed archive")
}

extension PropertyListSource {
    /// The index of the value under a name; nil if there is none.
    ///
    /// - Complexity: O(fields)
    func field(_ name: StaticString, of children: PropertyListObject.Children) -> Int? {
        (0..<children.count).first { isKey(reference(children, $0), name) }
            .map { reference(children, children.count + $0) }
    }

    /// Whether the object is a string, namely this.
    func isKey(_ index: Int, _ name: StaticString) -> Bool {
        guard case .string(let piece)? = try? object(index) else { return false }
        return string(piece, is: name)
    }
}
