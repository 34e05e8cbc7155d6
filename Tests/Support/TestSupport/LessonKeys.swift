import Foundation

/// A row of the table in `docs/learn-change-sets.md` of keys to press in the lab and their visible result.
public struct LessonKeys: Sendable, CustomStringConvertible {
    public let entry: String
    /// Names of keys.
    public let keys: [String]
    public let text: String

    public var description: String { "\(entry): \(keys.joined(separator: " "))" }

    /// The rows of the table.
    public static let rows: [LessonKeys] = {
        let file = repository.appending(path: "docs/learn-change-sets.md")
        let lesson = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let table = lesson.components(separatedBy: "| open | press | and see |\n|---|---|---|\n").last ?? ""
        return table.components(separatedBy: "\n\n")[0].split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "`").map(String.init)
            guard cells.count == 7 else { return nil }
            return LessonKeys(
                entry: cells[1], keys: cells[3].split(separator: " ").map(String.init), text: cells[5])
        }
    }()
}
