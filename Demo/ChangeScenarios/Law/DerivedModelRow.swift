import Foundation
import YapDatabase

/// A row of a list over related rows, computed from scratch.
package struct DerivedModelRow: Hashable, Sendable {
    package fileprivate(set) var rowKey: RowKey
    fileprivate var group: String?
    fileprivate var place: LabPlace
    package fileprivate(set) var text: String
    fileprivate var sort: Int
    fileprivate var other: String?
    fileprivate var tags: [String]

    fileprivate init(_ key: RowKey, _ row: LabRow) {
        (rowKey, group, text, sort, other) = (key, row.group, row.text, row.sort, row.other)
        place = LabPlace(.number(row.sort), .text(key.key))
        tags = row.tags ?? []
    }
}

extension LabRows {
    /// Returns the rows of a list of these stages.
    package func derived(_ stages: [ListStage]) -> [DerivedModelRow] {
        func rows(of collection: String) -> [DerivedModelRow] {
            contents.filter { $0.key.collection == collection }.map { DerivedModelRow($0.key, $0.value.row) }
        }
        let others = Dictionary(
            uniqueKeysWithValues: rows(of: RowKey.othersCollection).map { ($0.rowKey.key, $0) })
        var derived = rows(of: RowKey.defaultCollection)
        for stage in stages { derived = derived.derived(stage, others, clock) }
        let collection = LabLists(stages).collection
        for index in derived.indices {
            derived[index].rowKey = RowKey(collection: collection, key: derived[index].rowKey.key)
        }
        return derived
    }
}

extension [DerivedModelRow] {
    /// The rows of each group, in order.
    package var groups: [String: [DerivedModelRow]] {
        let shown = filter { $0.group != nil }.sorted { $0.place < $1.place }
        return Dictionary(grouping: shown) { $0.group ?? "" }
    }

    fileprivate func derived(_ stage: ListStage, _ others: [String: DerivedModelRow], _ clock: Int) -> Self {
        switch stage {
        case .joined: compactMap { row in row.other.flatMap { others[$0] }.map(row.joined) }
        case .each: flatMap { row in Set(row.tags).map(row.placed) }
        case .dated: filter { LabTime.hours.contains($0.sort) }.map { $0.dated(clock) }
        case .groups: groups.map { $0.value[$0.value.count - 1].last(ofGroup: $0.key, $0.value.count) }
        }
    }
}

extension DerivedModelRow {
    fileprivate func joined(_ other: DerivedModelRow) -> Self {
        var row = self
        row.group = other.group
        row.place = LabPlace(.text(other.text), then: place)
        row.text = [text, other.text].filter { !$0.isEmpty }.joined(separator: ", ")
        return row
    }

    fileprivate func placed(_ tag: String) -> Self {
        var row = self
        row.rowKey.key = YapPlacedKey(group: tag, key: rowKey.key).storedKey
        row.group = tag
        row.place = LabPlace(place, then: .text(tag))
        return row
    }

    fileprivate func dated(_ clock: Int) -> Self {
        var row = self
        let (day, today) = (Double(sort) / 24, Double(clock) / 24)
        switch day.rounded(.down) - today.rounded(.down) {
        case -1: row.group = "yesterday"
        case 0: row.group = "today"
        case 1: row.group = "tomorrow"
        case let distance:
            row.group = (distance > 0 ? "+" : "") + LabTime.date(sort).formatted(.iso8601.year().month().day())
        }
        row.place = LabPlace(.number(sort), then: place)
        if sort < clock { row.text += " (past)" }
        return row
    }

    /// Returns the row of a group whose last row this is.
    fileprivate func last(ofGroup name: String, _ count: Int) -> Self {
        var row = self
        row.rowKey.key = name
        row.group = "all"
        row.place = LabPlace(.reversed(place), .text(name))
        row.text = "\(count): \(text)"
        row.other = name
        return row
    }
}
