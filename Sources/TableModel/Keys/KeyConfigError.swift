/// The errors in a file of key bindings. None of the file's bindings apply.
public struct KeyConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Problem: Hashable, Sendable {
        /// Counted from 1.
        public var line: Int
        public var text: String
    }

    public var file: String
    public var problems: [Problem]

    /// A sentence for each problem, with the file and the line.
    public var description: String {
        problems.map { "\(file), line \($0.line): \($0.text)." }.joined(separator: "\n")
    }
}
