import Foundation

@testable import YapDatabase

/// The model: what each commit left behind, and which commit is known to have returned.
final class CommitHistory: Sendable {
    struct State: Equatable {
        var rows: [String: Item] = [:]
        var groups: [String: [String]] = [:]
    }

    private struct Known {
        var states: [Int: [String: Item]]
        var newestReturned: Int
        var writersEnded = 0
        var isOver = false
    }

    private let known: Locked<Known>

    init(first: Int) { known = Locked(Known(states: [first: [:]], newestReturned: first)) }

    /// Inside the transaction that is about to leave it.
    func record(_ rows: [String: Item], _ number: Int) { known.withLock { $0.states[number] = rows } }

    func returned(_ number: Int) { known.withLock { $0.newestReturned = max($0.newestReturned, number) } }

    func endWriter(of count: Int) {
        known.withLock {
            $0.writersEnded += 1
            $0.isOver = $0.writersEnded == count
        }
    }

    var newestReturned: Int { known.withLock { $0.newestReturned } }
    var isOver: Bool { known.withLock { $0.isOver } }

    /// Rows and view of one commit; nil when there was none of that number.
    subscript(number: Int) -> State? {
        guard let rows = known.withLock({ $0.states[number] }) else { return nil }
        var groups: [String: [(Int, String)]] = [:]
        for (key, item) in rows { if let group = item.group { groups[group, default: []].append((item.sort, key)) } }
        return State(rows: rows, groups: groups.mapValues { $0.sorted(by: <).map(\.1) })
    }
}

/// A read or a write that fits into no order.
struct OutOfOrder: Error, CustomStringConvertible {
    let description: String
}
