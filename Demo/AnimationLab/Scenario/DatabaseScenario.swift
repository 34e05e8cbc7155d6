/// Rows in a view and operations on them, for a real database.
struct DatabaseScenario: Hashable, Sendable {
    /// The commits between two jumps.
    struct Step: Hashable, Sendable {
        /// Calls on the mappings before the first commit; nil for none.
        var reconfigure: [MappingsCall]?
        /// The operations of each commit.
        var commits: [[RowOperation]]
    }

    var id: String?
    var mappings: MappingsSetup
    /// Whether the view is stored in the file rather than in memory only.
    var isPersistent = true
    /// The operations of the first commit, before the mappings are created.
    var initial: [RowOperation] = []
    var steps: [Step]
}

extension DatabaseScenario: ScenarioValue {
    static let shape = "an object"

    init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        id = try fields.optional("id")
        mappings = try fields.required("mappings")
        if try fields.optional("configAfterUpdate") ?? false { mappings.configAfterUpdate = true }
        isPersistent = try fields.optional("persistent") ?? true
        initial = try fields.optional("initial") ?? []
        steps = try fields.required("steps")
    }

    var json: JSON {
        .object(
            ("id", id?.json), ("mappings", mappings.json), ("persistent", isPersistent ? nil : false),
            ("initial", initial.json), ("steps", steps.json))
    }
}

extension DatabaseScenario.Step: ScenarioValue {
    static let shape = "an object with commits"

    init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        reconfigure = try fields.optional("reconfigure")
        commits = try fields.required("commits")
    }

    var json: JSON { .object(("reconfigure", reconfigure?.json), ("commits", commits.json)) }
}
