/// Makes a scenario as small as possible while a property of it stays.
///
/// A scenario is JSON, so its pieces are the elements of its arrays (steps, commits, operations, rows, groups, calls,
/// offsets), the members of its objects (settings of a range, metadata) and its numbers. Delta debugging removes
/// pieces, first many at once and at last one by one, until every piece is necessary: the result is 1-minimal. The same
/// scenario always gives the same result.
struct Shrinker {
    /// Whether a smaller scenario still has the property.
    private let keeps: (Scenario) -> Bool
    /// Called after each attempt with the number of attempts and the length of the smallest scenario in bytes.
    private let progress: (_ attempts: Int, _ length: Int) -> Void
    private var smallest: JSON
    private(set) var attempts = 0

    package init(
        _ scenario: Scenario, progress: @escaping (_ attempts: Int, _ length: Int) -> Void = { _, _ in },
        keeping keeps: @escaping (Scenario) -> Bool
    ) {
        self.keeps = keeps
        self.progress = progress
        smallest = scenario.json
    }

    /// Returns the smallest scenario found.
    mutating func shrunk() -> Scenario {
        var before: JSON
        repeat {
            before = smallest
            reduce(at: [])
            joinSteps()
        } while smallest != before
        guard let scenario = try? Scenario(json: smallest) else {
            preconditionFailure("Only what can be read as a scenario is kept.")
        }
        return scenario
    }

    /// Reduces the value at a path, the outer pieces first, because these remove the most.
    private mutating func reduce(at path: JSON.Path) {
        switch smallest[path] {
        case .array(let elements):
            removeElements(elements.count, at: path)
            joinElements(at: path)
        case .object(let members):
            for index in members.indices.reversed() where members[index].name != "id" {
                attempt(smallest.removing(index..<index + 1, at: path))
            }
        case .integer(let number): lower(number, at: path)
        case .null, .bool, .number, .string: break
        }
        // Reducing an inner value changes the outer one only by making it smaller.
        for index in 0..<smallest[path].count { reduce(at: path + [index]) }
    }

    /// Removes half of the elements, then quarters of them, and at last single ones, the last first.
    private mutating func removeElements(_ count: Int, at path: JSON.Path) {
        var chunk = count
        while chunk > 0 {
            var end = smallest[path].count
            while end > 0 {
                let start = max(0, end - chunk)
                attempt(smallest.removing(start..<end, at: path))
                end = start
            }
            chunk /= 2
        }
    }

    /// Joins two commits.
    private mutating func joinElements(at path: JSON.Path) {
        var index = 0
        while let candidate = smallest.joining(index, at: path) {
            if !attempt(candidate) { index += 1 }
        }
    }

    /// Performs the same edits in one step less, as often as possible.
    private mutating func joinSteps() {
        while case .database(let scenario) = try? Scenario(json: smallest),
            scenario.withFewerSteps.contains(where: { attempt(Scenario.database($0).json) })
        {}
    }

    /// Moves a number towards 0: to 0, or by half of it, a quarter, and at last by one.
    private mutating func lower(_ number: Int, at path: JSON.Path) {
        guard number != 0, !attempt(smallest.setting(0, at: path)) else { return }
        var number = number
        var step = number / 2
        while step != 0 {
            if number != step, attempt(smallest.setting(number - step, at: path)) {
                number -= step
            } else {
                step /= 2
            }
        }
    }

    /// Adopts the candidate if it is a different scenario and keeps the property.
    @discardableResult
    private mutating func attempt(_ candidate: JSON) -> Bool {
        guard let scenario = try? Scenario(json: candidate) else { return false }
        let json = scenario.json
        guard json != smallest else { return false }
        attempts += 1
        let isKept = keeps(scenario)
        if isKept { smallest = json }
        progress(attempts, smallest.bytes.count)
        return isKept
    }
}
