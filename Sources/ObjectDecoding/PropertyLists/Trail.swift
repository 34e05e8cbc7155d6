/// The path from the root to the value being decoded.
struct Trail {
    enum Step {
        case field(String)
        case element(Int)
        case key(Int)
    }

    var steps: [Step] = []
    /// The number of levels decoded so far inside the innermost open container.
    var height = 0

    var path: ValuePath { path(steps.count) }

    /// Returns the path of the open container of a level (its depth plus one); nil for 0.
    func path(ofOpen level: Int) -> ValuePath? { level > 0 ? path(level - 1) : nil }

    private func path(_ depth: Int) -> ValuePath {
        steps.prefix(depth).reduce(.root) { path, step in
            switch step {
            case .field(let name): path.field(name)
            case .element(let index): path.element(index)
            case .key(let index): path.key(index)
            }
        }
    }
}
