import ByteCoders
import Synchronization

/// Reads fields out of the stored bytes of values whose type is ``YapPlainCodable``, and finds out with the first rows whether the type keeps
/// its promise. Where it does not, whole values are decoded.
final class StoredPromise<Value: Codable>: Sendable {
    /// The rows whose fields must agree with the whole value before fields alone are believed; below 0 once one did not.
    private let checksLeft = Atomic(16)

    private static var broken: Int { -1 }

    /// Returns what a function reads out of bytes; nil if it throws, or the type does not keep its promise, so that the whole value has to be
    /// asked.
    /// - Parameter whole: asks the whole value the same.
    @inline(__always) func answer<Answer: Equatable>(
        _ read: (StoredFields) throws -> Answer, _ bytes: UnsafeRawBufferPointer?,
        _ format: YapDatabaseCodableFormat, whole: (Value) throws -> Answer
    ) -> Answer? {
        let left = checksLeft.load(ordering: .relaxed)
        guard left >= 0, let bytes, let found = format.read(bytes, read) else { return nil }
        return left == 0 || isKept(found, bytes, format, whole: whole) ? found : nil
    }

    /// Compares an answer with that of the whole value. One that cannot be decoded shows nothing; reading it will throw.
    ///
    /// Apart from the function that calls it, which would look up the optional of the type for each row.
    @inline(never) private func isKept<Answer: Equatable>(
        _ found: Answer, _ bytes: UnsafeRawBufferPointer, _ format: YapDatabaseCodableFormat,
        whole: (Value) throws -> Answer
    ) -> Bool {
        guard let value = try? format.decode(Value.self, bytes), let answer = try? whole(value) else { return true }
        if answer == found {
            countAgreement()
        } else if checksLeft.exchange(Self.broken, ordering: .relaxed) >= 0 {
            YapDatabase.log(
                .warning,
                "\(Value.self) is declared as YapPlainCodable, but a stored row has other fields than its value. Either the row is damaged, or "
                    + "the type, or one in it that is declared as this, too, has an init(from:) or CodingKeys of its own; then remove the declaration. "
                    + "Lists and indexes now decode whole values of this type.")
        }
        return answer == found
    }

    /// Counted when a row was compared, so that no other thread believes fields before the first rows have agreed.
    private func countAgreement() {
        var left = checksLeft.load(ordering: .relaxed)
        while left > 0 {
            let (exchanged, original) = checksLeft.compareExchange(
                expected: left, desired: left - 1, ordering: .relaxed)
            if exchanged { return }
            left = original
        }
    }
}

/// What functions over ``StoredFields`` throw where the bytes were read, but only the whole value can tell.
struct NeedsWholeValue: Error {}
