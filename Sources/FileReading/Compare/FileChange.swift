import FileEngine
import ObjectDecoding

/// A difference of two files without its values: as little as is needed to read them again, so that a million can be kept.
package enum FileChange: Hashable, Sendable {
    package enum RowChange: UInt8, Hashable, Sendable { case inserted, deleted, updated }

    case row(BrowsedRow.Address, RowChange)
    case view(String, isNew: Bool)
    case group(String, view: String, isNew: Bool, count: Int)
    case place(PlaceDifference)

    /// - Returns: nil for a row without a key, which a comparison by keys does not meet.
    package init?(_ difference: FileDifference) {
        switch difference {
        case .deleted(let row):
            guard let address = row.address else { return nil }
            self = .row(address, .deleted)
        case .inserted(let row):
            guard let address = row.address else { return nil }
            self = .row(address, .inserted)
        case .updated(let address, _, _): self = .row(address, .updated)
        case .view(let name, let isNew): self = .view(name, isNew: isNew)
        case .group(let name, let view, let isNew, let count):
            self = .group(name, view: view, isNew: isNew, count: count)
        case .place(let place): self = .place(place)
        }
    }
}

/// The kinds of differences, each with the sign of `yap diff`.
package enum ChangeKind: Character, CaseIterable, Hashable, Sendable {
    case inserted = "+"
    case deleted = "-"
    case updated = "~"
    case inViews = ">"
}

extension FileChange {
    package var kind: ChangeKind {
        switch self {
        case .row(_, .inserted): .inserted
        case .row(_, .deleted): .deleted
        case .row(_, .updated): .updated
        default: .inViews
        }
    }

    /// The collection or the view that it is in; changes of one follow each other.
    package var container: String {
        switch self {
        case .row(let address, _): address.collection.text
        case .view(let name, _): name
        case .group(_, let view, _, _): view
        case .place(let place): place.view
        }
    }

    package var isInView: Bool { kind == .inViews }

    /// The key, or the group and what happened in it.
    package var name: String {
        switch self {
        case .row(let address, _): address.key.text
        case .view(_, let isNew): isNew ? "the view is new" : "the view is gone"
        case .group(let name, _, let isNew, let count):
            "\(name): the group is \(isNew ? "new" : "gone"), \(RowCount(count)) rows"
        case .place(let place):
            "\(place.group): \(place.address.map { "\($0.collection)/\($0.key)" } ?? "a row that is not there") "
                + "\(Self.number(place.before)) → \(Self.number(place.after))"
        }
    }

    /// The row that it is about; nil if it is about a view or a group.
    package var address: BrowsedRow.Address? {
        switch self {
        case .row(let address, _): address
        case .place(let place): place.address
        default: nil
        }
    }

    private static func number(_ place: Int?) -> String { place.map { RowCount($0 + 1).description } ?? "nothing" }
}
