/// The way from the root to the value that is being decoded.
struct Trail {
    enum Step {
        case field(String)
        case element(Int)
        case key(Int)
    }

    var steps: [Step] = []
    /// How deep the values nest that were decoded so far inside the innermost open container.
    var height = 0

    var path: ValuePath { path(steps.count) }

    /// The path of a container whose level (one more than its depth) is this; nil for 0.
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
