/// What is wrong with a file of key bindings; nothing of it has been taken over.
public struct KeyConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Problem: Hashable, Sendable {
        /// Counted from 1.
        public var line: Int
        public var text: String
    }

    public var problems: [Problem]

    public var description: String {
        problems.map { "line \($0.line): \($0.text)" }.joined(separator: "\n")
    }
}

extension KeyMap {
    /// Binds the keys of a configuration text: on each line a key and an action, `#` begins a comment.
    ///
    ///     ctrl-j   next
    ///     gg       first
    ///     q        none        # nothing any more
    ///
    /// - Throws: All lines that name no key or no action of this map.
    public mutating func configure(_ text: String) throws(KeyConfigError) {
        var configured = self
        var problems: [KeyConfigError.Problem] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            do throws(LineProblem) { try configured.configure(line: line) } catch {
                problems.append(KeyConfigError.Problem(line: index + 1, text: error.text))
            }
        }
        guard problems.isEmpty else { throw KeyConfigError(problems: problems) }
        self = configured
    }

    private struct LineProblem: Error {
        let text: String
    }

    private mutating func configure(line: Substring) throws(LineProblem) {
        let words = line.split { $0.isWhitespace }.map(String.init)
        guard let name = words.first, !(name.hasPrefix("#") && name.count > 1 || name == "#" && words.count != 2) else {
            return
        }
        let rest = words.dropFirst().prefix { !$0.hasPrefix("#") }
        guard let action = rest.first, rest.count == 1 else {
            throw LineProblem(text: "a line is a key and an action, as in \"ctrl-j next\"")
        }
        guard let keys = KeyStroke.parse(name) else {
            throw LineProblem(text: "there is no key \"\(name)\"; write j, G, zz, ctrl-d, alt-x, enter, pgdn, f1")
        }
        unbind(keys)
        if action == "none" { return }
        guard let index = bindings.firstIndex(where: { $0.action.rawValue == action }) else {
            let known = bindings.map(\.action.rawValue).joined(separator: ", ")
            throw LineProblem(text: "there is no action \"\(action)\"; there are none, \(known)")
        }
        bindings[index].keys.insert(keys, at: 0)
    }
}
