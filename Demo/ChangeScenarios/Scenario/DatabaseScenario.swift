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
    package var mappings: MappingsSetup
    /// Whether the view is stored in the file rather than in memory only.
    package var isPersistent = true
    /// The operations of the first commit, before the mappings are created.
    package var initial: [RowOperation] = []
    package var steps: [Step]

    package init(
        id: String? = nil, mappings: MappingsSetup, isPersistent: Bool = true, initial: [RowOperation] = [],
        steps: [Step]
    ) {
        self.id = id
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
        mappings = try fields.required("mappings")
        if try fields.optional("configAfterUpdate") ?? false { mappings.configAfterUpdate = true }
        isPersistent = try fields.optional("persistent") ?? true
        initial = try fields.optional("initial") ?? []
        steps = try fields.required("steps")
    }

    package var json: JSON {
        .object(
            ("id", id?.json), ("mappings", mappings.json), ("persistent", isPersistent ? nil : false),
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
