import LiveTable

extension ChangeSet {
    /// Reads the changes of a result: `sectionChanges` and `rowChanges`.
    init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        self.init(
            sectionChanges: try fields.required("sectionChanges", [ReadSectionChange].self).map(\.change),
            rowChanges: try fields.required("rowChanges", [ReadRowChange].self).map(\.change))
    }
}

private struct ReadSectionChange: ScenarioValue {
    static let shape = "a section change"
    let change: SectionChange

    init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        change = SectionChange(
            type: try fields.required("type", ChangeName.self).type, index: try fields.required("section"),
            group: try fields.required("group"))
    }

    var json: JSON { change.json }
}

private struct ReadRowChange: ScenarioValue {
    static let shape = "a row change"
    let change: RowChange

    init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        let type = try fields.required("type", ChangeName.self).type
        change = RowChange(
            type: type, flags: ChangeFlags(try fields.required("changes", [ChangeWord].self)),
            key: try fields.optional("key").map { RowKey(scenarioName: $0) },
            before: try fields.optional("indexPath", ReadPath.self)?.path,
            after: try fields.optional(type == .update ? "finalPath" : "newIndexPath", ReadPath.self)?.path,
            originalGroup: try fields.optional("originalGroup"), finalGroup: try fields.optional("finalGroup"))
    }

    var json: JSON { change.json }
}

private struct ReadPath: ScenarioValue {
    static let shape = "an array of section and row"
    let path: RowPath

    init(json: JSON) throws(ScenarioError) {
        let numbers = try [PathNumber](json: json).map(\.value)
        guard numbers.count == 2 else { throw ScenarioError(Self.shape, insteadOf: json) }
        path = RowPath(section: numbers[0], row: numbers[1])
    }

    var json: JSON { path.json }
}

/// The vectors write a number below 0 as a string, because the original prints it in several ways.
private struct PathNumber: ScenarioValue {
    static let shape = "a whole number"
    let value: Int

    init(json: JSON) throws(ScenarioError) {
        if case .string(let text) = json, let number = Int(text) {
            value = number
        } else {
            value = try Int(json: json)
        }
    }

    var json: JSON { value.json }
}

private enum ChangeName: String, ScenarioWord {
    case insert, delete, move, update

    var type: ChangeType {
        switch self {
        case .insert: .insert
        case .delete: .delete
        case .move: .move
        case .update: .update
        }
    }
}
