import Foundation

/// A row of the README's table of keys to press in the lab and their visible result.
public struct ReadmeTour: Sendable, CustomStringConvertible {
    public let entry: String
    /// Names of keys.
    public let keys: [String]
    public let text: String

    public var description: String { "\(entry): \(keys.joined(separator: " "))" }

    /// The rows of the table in the README.
    public static let rows: [ReadmeTour] = {
        let readme = (try? String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)) ?? ""
        let table = readme.components(separatedBy: "| open | press | and see |\n|---|---|---|\n").last ?? ""
        return table.components(separatedBy: "\n\n")[0].split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "`").map(String.init)
            guard cells.count == 7 else { return nil }
            return ReadmeTour(
                entry: cells[1], keys: cells[3].split(separator: " ").map(String.init), text: cells[5])
        }
    }()
}
