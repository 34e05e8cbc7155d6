/// Reads some values of a stored keyed object and skips the others.
///
/// Each value is read as the decoder of its type reads it. Reading throws if the key is missing, if the value has another type, and in cases
/// that only Foundation's decoders handle. Then the caller decodes the whole object, and reports the error of that.
package struct StoredFields {
    private let reader: ValueReader
    private let object: ValueReader.Children

    init?(_ reader: ValueReader, root: Int) {
        guard let object = reader.object(root) else { return nil }
        (self.reader, self.object) = (reader, object)
        reader.hints[0] = 0
    }

    // The functions throw instead of returning nil, as the decoders do. An optional of a generic type costs a look-up of its metadata.

    /// The value of a property that must be there.
    package func value<Value: Decodable>(_ type: Value.Type, of key: String) throws -> Value {
        guard let node = try node(key) else { throw reader.uncertain() }
        return try read(type, node)
    }

    /// The value of a property that may be missing: nil without the key, and for null.
    package func valueIfPresent<Value: Decodable>(_ type: Value.Type, of key: String) throws -> Value? {
        guard let node = try node(key), !reader.isNull(node) else { return nil }
        return try read(type, node)
    }

    private func node(_ key: String) throws -> Int? {
        let node = reader.find(key, in: object, reader.hints)
        try checkCertainty()
        return node
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
        let value = try reader.read(type, node, 1)
        try checkCertainty()
        return value
    }

    private func checkCertainty() throws {
        let state = reader.state.pointee
        if state.isUncertain || state.valuesLeft < 0 { throw reader.uncertain() }
    }
}
