/// Rows in a view and operations on them, for a real database.
package struct DatabaseScenario: Hashable, Sendable {
    /// The commits between two jumps.
    package struct Step: Hashable, Sendable {
        /// Calls on the mappings before the first commit; nil for none.
        package var reconfigure: [MappingsCall]?
        /// The operations of each commit.
        package var commits: [[RowOperation]]

        package init(reconfigure: [MappingsCall]? = nil, commits: [[RowOperation]]) {
            self.reconfigure = reconfigure
            self.commits = commits
        }
    }

    package var id: String?
    /// How the list's rows follow from those that are committed; empty for a view of these themselves.
    package var list: [ListStage] = []
    package var mappings: MappingsSetup
    /// Whether the view is stored in the file rather than in memory only.
    package var isPersistent = true
    /// The operations of the first commit, before the mappings are created.
    package var initial: [RowOperation] = []
    package var steps: [Step]

    package init(
        id: String? = nil, list: [ListStage] = [], mappings: MappingsSetup, isPersistent: Bool = true,
        initial: [RowOperation] = [], steps: [Step]
    ) {
        self.id = id
        self.list = list
        self.mappings = mappings
        self.isPersistent = isPersistent
        self.initial = initial
        self.steps = steps
    }
}

extension DatabaseScenario: ScenarioValue {
    package static let shape = "an object"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        id = try fields.optional("id")
        list = try fields.optional("list") ?? []
        guard list.count <= Self.longestList else {
            throw ScenarioError("should have at most \(Self.longestList) stages, not \(list.count)").inside("list")
        }
        mappings = try fields.required("mappings")
        if try fields.optional("configAfterUpdate") ?? false { mappings.configAfterUpdate = true }
        isPersistent = try fields.optional("persistent") ?? true
        guard isPersistent || list.isEmpty else {
            throw ScenarioError("should be true: a list over related rows is in the file").inside("persistent")
        }
        initial = try fields.optional("initial") ?? []
        steps = try fields.required("steps")
    }

    /// Each stage is a type around that of the stage before.
    private static let longestList = 4

    package var json: JSON {
        .object(
            ("id", id?.json), ("list", list.isEmpty ? nil : list.json), ("mappings", mappings.json),
            ("persistent", isPersistent ? nil : false),
            ("initial", initial.json), ("steps", steps.json))
    }
}

extension DatabaseScenario.Step: ScenarioValue {
    package static let shape = "an object with commits"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        reconfigure = try fields.optional("reconfigure")
        commits = try fields.required("commits")
    }

    package var json: JSON { .object(("reconfigure", reconfigure?.json), ("commits", commits.json)) }
}
