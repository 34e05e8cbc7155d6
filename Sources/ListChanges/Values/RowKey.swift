/// The identity of a row: the collection and the key under which it is stored.
///
/// Two snapshots hold the same row exactly when they hold the same `RowKey`; its place, its group and its content may
/// all have changed between them.
public struct RowKey: Hashable, Sendable {
    public var collection: String
    public var key: String

    public init(collection: String, key: String) {
        self.collection = collection
        self.key = key
    }
}

extension RowKey: CustomStringConvertible {
    /// `collection/key`, or the key alone in the collection `""`.
    public var description: String { collection.isEmpty ? key : "\(collection)/\(key)" }
}
