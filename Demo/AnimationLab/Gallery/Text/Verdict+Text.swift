import LiveTable

extension Verdict {
    /// How the law is kept or broken, in a sentence or two.
    var text: String {
        switch self {
        case .exact: "Applied to the rows before, it gives the rows that a reload shows."
        case .misfit(.row(let change)) where change.type == .insert || change.type == .move:
            "A table view throws an exception: \(change.name) does not fit, "
                + "because the place is not there after the changes, or another change took it."
        case .misfit(.row(let change)):
            "A table view throws an exception: \(change.name) does not fit, "
                + "because the row is not there before the changes, or another change took it."
        case .misfit(.identity(let change, let found)):
            "\(change.name) names another row than \(found.scenarioName), which is there."
        case .misfit(.section(let change)):
            "A table view throws an exception: \(change) does not fit, because there is no such section."
        case .sectionCount(let count, let actual):
            "A table view throws an exception: the changes lead to \(count.of("section")), and there are \(actual)."
        case .group(let group, let section, let actual):
            "Section \(section) shows \(group) where \(actual) is."
        case .rowCount(let count, let section, let actual):
            "A table view throws an exception: "
                + "the changes lead to \(count.of("row")) in section \(section), and there are \(actual)."
        case .wrongRow(let key, let path, let actual):
            "At \(path) it shows \(key.scenarioName) where \(actual.scenarioName) is. Nothing throws; it stays wrong."
        case .unreported(let key, let path):
            "The rows are right, but \(key.scenarioName), at \(path) before, is not named and is drawn as it was."
        case .endless: "There is no answer: it computes for ever."
        }
    }
}

extension RowChange {
    /// The change by its kind and its paths: `insert -> [0,1]`.
    fileprivate var name: String { "\(type) \(paths)" }
}

extension Int {
    fileprivate func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
