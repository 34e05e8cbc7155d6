import YapDatabase

/// The parts of a row that changed, in a scenario's words.
package enum ChangeWord: String, ScenarioWord {
    case object, metadata, dependency, snippets

    var flag: ChangeFlags {
        switch self {
        case .object: .object
        case .metadata: .metadata
        case .dependency: .dependency
        case .snippets: .snippets
        }
    }
}

extension ChangeFlags {
    package init(_ words: [ChangeWord]) {
        self = words.reduce(into: []) { $0.formUnion($1.flag) }
    }

    package var words: [ChangeWord] { ChangeWord.allCases.filter { contains($0.flag) } }
}
