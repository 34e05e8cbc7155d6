import ByteCoders
import Synchronization

/// Reads fields out of the stored bytes of values whose type is ``YapPlainCodable``, and finds out with the first rows whether the type keeps
/// its promise.
final class StoredPromise<Value: Codable>: Sendable {
    /// The rows that are still decoded as a whole too.
    private let checksLeft = Atomic(16)
    private let isTrusted = Atomic(true)

    /// Returns what a function reads out of bytes; nil if it throws, so that the whole value has to be asked.
    ///
    /// Stops the program if the type does not keep its promise, as the whole value of one of the first rows shows. A value that cannot be
    /// decoded shows nothing; reading it will throw.
    @inline(__always) func answer<Answer: Equatable>(
        _ read: (StoredFields) throws -> Answer, _ bytes: UnsafeRawBufferPointer?,
        _ format: YapDatabaseCodableFormat, whole: (Value) -> Answer
    ) -> Answer? {
        guard isTrusted.load(ordering: .relaxed), let bytes else { return nil }
        guard let found = format.read(bytes, read) else { return nil }
        return !isToBeChecked() || isKept(found, read, bytes, format, whole: whole) ? found : nil
    }

    /// Apart from the function that calls it, which would look up the optional of the type for each row.
    @inline(never) private func isKept<Answer: Equatable>(
        _ found: Answer, _ read: (StoredFields) throws -> Answer, _ bytes: UnsafeRawBufferPointer,
        _ format: YapDatabaseCodableFormat, whole: (Value) -> Answer
    ) -> Bool {
        guard let value = try? format.decode(Value.self, bytes), whole(value) != found else { return true }
        check(value, whole, read, format)
        return false
    }

    private func isToBeChecked() -> Bool {
        checksLeft.load(ordering: .relaxed) > 0 && checksLeft.subtract(1, ordering: .relaxed).oldValue > 0
    }

    /// Stops the program if what the type itself writes gives a wrong answer. Other bytes must not stop it: they may be those of a damaged
    /// file. Then no more fields are read.
    private func check<Answer: Equatable>(
        _ value: Value, _ whole: (Value) -> Answer, _ read: (StoredFields) throws -> Answer,
        _ format: YapDatabaseCodableFormat
    ) {
        isTrusted.store(false, ordering: .relaxed)
        guard let bytes = try? format.encode(value),
            let found = bytes.withUnsafeBytes({ format.read($0, read) })
        else { return }
        require(
            found == whole(value),
            "\(Value.self) is declared as YapPlainCodable, but a property that a list or an index goes by is not stored as it is under its "
                + "own name. Remove the declaration, or let the compiler make the Codable of the type and of its properties."
        )
    }
}

/// What functions over ``StoredFields`` throw where the bytes were read, but only the whole value can tell.
struct AsksWholeValue: Error {}
