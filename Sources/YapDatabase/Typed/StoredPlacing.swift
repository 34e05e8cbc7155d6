import ByteCoders
import Synchronization

/// Places the rows of a list by two fields that are read out of their bytes.
final class StoredPlacing: Sendable {
    private let type: Any.Type
    private let number: @Sendable (StoredFields) -> UInt64?
    /// Nil if the group takes the whole value.
    private let group: (@Sendable (StoredFields) -> String?)?
    /// The rows that are still decoded as a whole too, to find out whether the type keeps its promise.
    private let checksLeft = Atomic(StoredPlacing.checks)
    private static let checks = 16

    /// Nil for a type that is not ``YapPlainCodable``, and for an order of which the bytes do not tell.
    init?<Value, Key, Metadata>(_ list: YapList<Value, Key, Metadata>) {
        guard Value.self is any YapPlainCodable.Type else { return nil }
        if let order = list.orders.first {
            guard let prefix = order.storedPrefix else { return nil }
            number = prefix
        } else {
            number = { _ in 0 }
        }
        type = Value.self
        group = list.condition == nil ? list.storedGroup : nil
    }

    /// Returns where a row belongs; nil if the whole value has to be asked.
    func place(
        _ bytes: UnsafeRawBufferPointer?, _ format: YapDatabaseCodableFormat
    ) -> (group: String, number: UInt64)? {
        guard let bytes, let group else { return nil }
        var found: (String, UInt64)?
        format.readFields(bytes) { fields in
            if let number = number(fields), let group = group(fields) { found = (group, number) }
        }
        return found
    }

    /// Returns a row's number; nil if the whole value has to be asked.
    func number(_ bytes: UnsafeRawBufferPointer?, _ format: YapDatabaseCodableFormat) -> UInt64? {
        guard let bytes else { return nil }
        var found: UInt64?
        format.readFields(bytes) { found = number($0) }
        return found
    }

    /// Stops the program if one of the first rows is placed otherwise than its value says. A value that cannot be decoded says nothing;
    /// reading it will throw.
    func check(_ group: String?, _ number: UInt64, _ whole: () throws -> (group: String?, number: UInt64)?) {
        guard checksLeft.load(ordering: .relaxed) > 0 else { return }
        checksLeft.subtract(1, ordering: .relaxed)
        guard case .success(let wanted) = Result(catching: whole) else { return }
        require(
            wanted?.group == group && wanted?.number == number,
            "\(type) is declared as YapPlainCodable, but a property that a list goes by is not stored as it is under its own name. "
                + "Remove the declaration, or let the compiler make the type's Codable.")
    }
}
