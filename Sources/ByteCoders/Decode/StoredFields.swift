import Foundation

/// The keyed object that stored bytes hold: some of its values are read, the rest is left.
///
/// A value is nil without its key, if it is of another type, and wherever Foundation would have to be asked. Then the caller decodes the
/// whole object.
package struct StoredFields {
    private let reader: ValueReader
    private let object: ValueReader.Children

    init?(_ reader: ValueReader, root: Int) {
        guard let object = reader.object(root) else { return nil }
        (self.reader, self.object) = (reader, object)
        reader.hints[0] = 0
    }

    package func int64(_ key: String) -> Int64? { node(key).flatMap(reader.int64) }
    package func uint64(_ key: String) -> UInt64? { node(key).flatMap(reader.uint64) }
    package func double(_ key: String) -> Double? { node(key).flatMap(reader.double) }
    package func float(_ key: String) -> Float? { node(key).flatMap(reader.float) }
    package func date(_ key: String) -> Date? { node(key).flatMap(reader.date) }
    package func string(_ key: String) -> String? { node(key).flatMap(reader.string) }

    private func node(_ key: String) -> Int? {
        let node = reader.find(key, in: object, reader.hints)
        return reader.state.pointee.isUncertain ? nil : node
    }
}
