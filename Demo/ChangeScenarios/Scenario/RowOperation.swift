import YapDatabase

/// An operation of a commit on the rows.
package enum RowOperation: Hashable, Sendable {
    /// Sets object and metadata. Nil removes the row's metadata.
    case set(RowKey, LabRow, metadata: String?)
    case replaceObject(RowKey, LabRow)
    case replaceMetadata(RowKey, String)
    case remove(RowKey)
    case removeMany([String], collection: String)
    case removeCollection(String)
    case removeAll
    case touch(RowKey)
    case touchMetadata(RowKey)
    case touchRow(RowKey)
    /// Sets the clock, to an hour after the beginning.
    case clock(Int)
}

extension RowOperation: ScenarioValue {
    private enum Verb: String, ScenarioWord {
        case set, replaceObject, replaceMetadata, remove, removeMany, removeCollection, removeAll
        case touch, touchMetadata, touchRow, clock
    }

    package static let shape = "an object with op"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        switch try fields.required("op", Verb.self) {
        case .set: self = .set(try RowKey(fields), try LabRow(fields), metadata: try fields.optional("metadata"))
        case .replaceObject: self = .replaceObject(try RowKey(fields), try LabRow(fields))
        case .replaceMetadata: self = .replaceMetadata(try RowKey(fields), try fields.required("metadata"))
        case .remove: self = .remove(try RowKey(fields))
        case .removeMany:
            self = .removeMany(try fields.required("keys"), collection: try RowKey.collection(fields))
        case .removeCollection: self = .removeCollection(try RowKey.collection(fields))
        case .removeAll: self = .removeAll
        case .touch: self = .touch(try RowKey(fields))
        case .touchMetadata: self = .touchMetadata(try RowKey(fields))
        case .touchRow: self = .touchRow(try RowKey(fields))
        case .clock:
            let hour: Int = try fields.required("at")
            guard LabTime.hours.contains(hour) else {
                let (least, most) = (LabTime.hours.lowerBound, LabTime.hours.upperBound)
                throw ScenarioError("should be at most \(most) and at least \(least), not \(hour)").inside("at")
            }
            self = .clock(hour)
        }
    }

    package var json: JSON {
        switch self {
        case .set(let key, let row, let metadata):
            operation(.set, key.members + row.members + (metadata.map { [JSON.Member("metadata", $0.json)] } ?? []))
        case .replaceObject(let key, let row): operation(.replaceObject, key.members + row.members)
        case .replaceMetadata(let key, let metadata):
            operation(.replaceMetadata, key.members + [JSON.Member("metadata", metadata.json)])
        case .remove(let key): operation(.remove, key.members)
        case .removeMany(let keys, let collection):
            operation(.removeMany, RowKey.members(collection) + [JSON.Member("keys", keys.json)])
        case .removeCollection(let collection): operation(.removeCollection, RowKey.members(collection))
        case .removeAll: operation(.removeAll, [])
        case .touch(let key): operation(.touch, key.members)
        case .touchMetadata(let key): operation(.touchMetadata, key.members)
        case .touchRow(let key): operation(.touchRow, key.members)
        case .clock(let hour): operation(.clock, [JSON.Member("at", hour.json)])
        }
    }

    private func operation(_ verb: Verb, _ members: [JSON.Member]) -> JSON {
        .object([JSON.Member("op", verb.json)] + members)
    }
}

extension RowOperation {
    /// The operation on one line: `set k5 in A at 13`.
    package var words: String {
        switch self {
        case .set(let key, let row, _): "set \(key.scenarioName) \(row.words)"
        case .replaceObject(let key, let row): "replace \(key.scenarioName) \(row.words)"
        case .replaceMetadata(let key, _): "replace the metadata of \(key.scenarioName)"
        case .remove(let key): "remove \(key.scenarioName)"
        case .removeMany(let keys, let collection):
            "remove "
                + keys.map { RowKey(collection: collection, key: $0).scenarioName }.shortened(to: 8)
                .joined(separator: ", ")
        case .removeCollection(let collection): "remove collection \(collection)"
        case .removeAll: "remove everything"
        case .touch(let key): "touch \(key.scenarioName)"
        case .touchMetadata(let key): "touch the metadata of \(key.scenarioName)"
        case .touchRow(let key): "touch object and metadata of \(key.scenarioName)"
        case .clock(let hour): "set the clock to \(LabTime.words(hour))"
        }
    }
}

extension LabRow {
    /// The row's place in the view, and what it names.
    fileprivate var words: String {
        let related = [other.map { "with \($0)" }, tags.map { "tagged \($0.joined(separator: " and "))" }]
        let words = ([group.map { "in \($0)" }] + related).compactMap(\.self)
        return "\(words.isEmpty ? "in no group" : words.joined(separator: " ")) at \(sort)"
    }
}

extension [String] {
    /// Returns the words, or the first of them and the number of the rest.
    package func shortened(to limit: Int) -> [String] {
        count > limit ? prefix(limit / 2) + ["... \(count - limit / 2) more"] : self
    }
}
