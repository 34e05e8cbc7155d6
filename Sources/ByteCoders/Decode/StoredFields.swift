/// Reads some values of a stored keyed object and skips the others.
///
/// Each value is read as the decoder of its type reads it. Reading throws if the key is missing, if the value has another type, and in cases
/// that only Foundation's decoders handle. Then the caller decodes the whole object, and reports the error of that.
package struct StoredFields {
    private let reader: ValueReader
    private let object: ValueReader.Children
    /// How many objects are around this one.
    private let depth: Int

    init?(_ reader: ValueReader, root: Int) { self.init(reader, root, depth: 0) }

    private init?(_ reader: ValueReader, _ node: Int, depth: Int) {
        guard depth < ValueReader.depthLimit, let object = reader.object(node) else { return nil }
        (self.reader, self.object, self.depth) = (reader, object, depth)
        reader.hints[depth] = 0
    }

    // The functions throw instead of returning nil, as the decoders do. An optional of a generic type costs a look-up of its metadata.

    /// The value of a property that must be there.
    package func value<Value: Decodable>(_ type: Value.Type, of key: StoredKey) throws -> Value {
        let fields = try fields(around: key)
        guard let node = try fields.node(key.name) else { throw reader.uncertain() }
        return try fields.read(type, node)
    }

    /// The value of a property that may be missing: nil without the key, and for null. The objects around it must be there.
    package func valueIfPresent<Value: Decodable>(_ type: Value.Type, of key: StoredKey) throws -> Value? {
        let fields = try fields(around: key)
        guard let node = try fields.node(key.name), !reader.isNull(node) else { return nil }
        return try fields.read(type, node)
    }

    /// The object of a property that may be missing: nil without the key, and for null.
    package func object(of key: String) throws -> StoredFields? {
        guard let node = try node(key), !reader.isNull(node) else { return nil }
        guard let fields = StoredFields(reader, node, depth: depth + 1) else { throw reader.uncertain() }
        return fields
    }

    private func fields(around key: StoredKey) throws -> StoredFields {
        var fields = self
        for outer in key.outer {
            guard let inner = try fields.object(of: outer) else { throw reader.uncertain() }
            fields = inner
        }
        return fields
    }

    private func node(_ key: String) throws -> Int? {
        let node = reader.find(key, in: object, reader.hints + depth)
        try checkCertainty()
        return node
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
        let value = try reader.read(type, node, depth + 1)
        try checkCertainty()
        return value
    }

    private func checkCertainty() throws {
        let state = reader.state.pointee
        if state.isUncertain || state.valuesLeft < 0 { throw reader.uncertain() }
    }
}

/// Where a property is stored: its key, and those of the objects that contain it.
package struct StoredKey: Sendable, ExpressibleByStringLiteral {
    /// The keys of the objects around it, the outermost first.
    package let outer: [String]
    package let name: String

    package init(_ name: String, in outer: [String] = []) { (self.outer, self.name) = (outer, name) }

    package init(stringLiteral name: String) { self.init(name) }
}
