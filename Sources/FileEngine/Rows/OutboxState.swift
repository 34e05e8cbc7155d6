/// Which mutations of a file are pending, in one small value: so that a write knows whether there are any, and the next one has a number.
///
/// It is a summary. The records of the mutations are the truth, and a value that does not fit them is not believed.
package struct OutboxState: Hashable, Sendable {
    /// No pending mutation has a smaller number.
    package var first = 1
    /// The number of the last one.
    package var last = 0
    /// The size of all pending mutations, in bytes.
    package var bytes = 0

    /// The key of the value in `yap2`, which belongs to no extension.
    package static let key = "server-mutations"

    /// What a file takes.
    package static let limit = (mutations: 100_000, bytes: 256 << 20)
    /// No file reaches a larger number by mutations, so a larger one is damage. The next number never overflows.
    package static let largestNumber = 1 << 52

    /// What each record counts beside its texts.
    package static let sizeOfRecord = 200

    package init() {}

    /// The most that can be pending: those among them that were rejected count, too.
    package var pending: Int { max(0, last - first + 1) }

    /// False if certainly none is pending.
    package var mayHavePending: Bool { pending > 0 }

    /// Nil if the text is damaged.
    package init?(_ text: String) {
        let parts = text.split(separator: " ").map { Int($0) }
        guard parts.count == 4, parts[0] == 1, let first = parts[1], let last = parts[2], let bytes = parts[3],
            (1...Self.largestNumber).contains(first), (0...Self.largestNumber).contains(last),
            (0...Self.largestNumber).contains(bytes)
        else { return nil }
        (self.first, self.last, self.bytes) = (first, last, bytes)
    }

    package var text: String { "1 \(first) \(last) \(bytes)" }

    /// Whether the file takes one more mutation of a size.
    package func hasRoom(for size: Int) -> Bool {
        pending < Self.limit.mutations && size <= Self.limit.bytes - bytes && last < Self.largestNumber
    }

    /// Takes a mutation in.
    package mutating func add(number: Int, size: Int) {
        last = number
        bytes += size
    }

    /// Takes one out that is pending no longer.
    package mutating func remove(size: Int) { bytes = max(0, bytes - size) }

    /// Why there is no room.
    package var refusal: YapDatabaseError {
        guard last < Self.largestNumber else {
            return YapDatabaseError(
                .badOperation,
                "The last mutation of the file has the number \(last), which only damage gives, and none can follow it. Nothing was stored. "
                    + "Open the file with its server, which sends what waits, and then go on with a new file that follows the same space."
            )
        }
        return YapDatabaseError(
            .badOperation,
            "\(pending) mutations with \(bytes >> 20) MB wait for the server, and the file takes no more than "
                + "\(Self.limit.mutations) with \(Self.limit.bytes >> 20) MB. Nothing was stored.")
    }
}
