extension Scenario {
    /// The JSON without members that have default values: it reads as the same scenario.
    var shortJSON: JSON {
        var short = json
        drop(from: &short, at: [])
        return short
    }

    private func drop(from short: inout JSON, at path: JSON.Path) {
        for index in (0..<short[path].count).reversed() {
            if case .object = short[path] {
                let without = short.removing(index..<index + 1, at: path)
                if (try? Scenario(json: without)) == self {
                    short = without
                    continue
                }
            }
            drop(from: &short, at: path + [index])
        }
    }
}
