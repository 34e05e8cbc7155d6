import Foundation
import ListChanges

/// The actions of all rows, and which of them are due. A value that knows neither clock nor database.
struct ActionSchedule {
    struct Due {
        let key: RowKey
        let item: YapActionItem
    }

    private struct Entry {
        let item: YapActionItem
        var isStarted = false
        /// When to start again; nil for never.
        var nextRetry: Date?

        /// When to start next; nil for never.
        var next: Date? { isStarted ? nextRetry : item.date }
    }

    private var rows: [RowKey: [Entry]] = [:]
}

extension ActionSchedule {
    var keys: [RowKey] { Array(rows.keys) }

    /// Replaces the actions of a row. One that it had before stays started.
    mutating func set(_ items: [YapActionItem], of key: RowKey) {
        let before = rows[key] ?? []
        let entries = items.map { item in
            var entry = Entry(item: item)
            if let known = before.first(where: { $0.item.hasSameIdentifierAndDate(item) }) {
                (entry.isStarted, entry.nextRetry) = (known.isStarted, known.nextRetry)
            }
            return entry
        }
        rows[key] = entries.isEmpty ? nil : entries
    }

    /// Starts what is due, in the order of the dates. O(all actions).
    /// - Returns: the actions, and when to ask again; nil if only a change of a row or of the network can make one due.
    mutating func start(now: Date, isReachable: Bool) -> (due: [Due], next: Date?) {
        var due: [(date: Date, Due)] = []
        var next: Date?
        for key in rows.keys {
            for index in rows[key]!.indices {
                let entry = rows[key]![index]
                guard var date = entry.next else { continue }
                if date <= now {
                    guard isReachable || !entry.item.requiresInternet else { continue }
                    due.append((date, Due(key: key, item: entry.item)))
                    rows[key]![index].isStarted = true
                    let timeout = entry.item.retryTimeout
                    rows[key]![index].nextRetry = timeout > 0 ? now + timeout : nil
                    guard timeout > 0 else { continue }
                    date = now + timeout
                }
                next = min(next ?? date, date)
            }
        }
        due.sort { ($0.date, $0.1.item.identifier) < ($1.date, $1.1.item.identifier) }
        return (due.map(\.1), next)
    }
}
