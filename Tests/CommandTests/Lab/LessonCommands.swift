import Foundation
import TerminalTesting
import Testing

/// The commands of `docs/learn-change-sets.md`, each with its expected output.
struct LessonCommands {
    struct Step {
        let command: String
        /// Lines; `[…]` stands for any.
        let shown: [String]
    }

    /// The mark for omitted lines.
    static let gap = "[…]"

    let steps: [Step]

    init() throws {
        let file = repository.appending(path: "docs/learn-change-sets.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.components(separatedBy: "\n```console\n").dropFirst()
        steps = blocks.flatMap { block in
            let lines = block.components(separatedBy: "\n```")[0]
            return ("\n" + lines).components(separatedBy: "\n$ ").dropFirst().map { step in
                let lines = step.components(separatedBy: "\n")
                return Step(command: lines[0], shown: Array(lines.dropFirst()))
            }
        }
    }
}

extension LessonCommands.Step {
    /// Returns the command's output on both streams; `./run` stands for the built command.
    func output(in folder: URL) throws -> [String] {
        // Instead of a script of that name: a file that was just written cannot be run while another test forks.
        let line = command.replacing("./run ", with: "'\(try builtProduct("yap"))' ")
        return try TestSupport.output(of: "/bin/sh", ["-c", line], in: folder)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Returns the expected part that the output lacks at its place; nil if all parts are there.
    func difference(from output: [String]) -> [String]? {
        var rest = output[...]
        let parts = shown.split(separator: LessonCommands.gap, omittingEmptySubsequences: false).map(Array.init)
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            guard let start = Self.place(of: part, in: rest, atStart: number == 0, atEnd: isLast) else { return part }
            rest = rest[(start + part.count)...]
        }
        return nil
    }

    private static func place(
        of part: [String], in lines: ArraySlice<String>, atStart: Bool, atEnd: Bool
    ) -> Int? {
        guard lines.count >= part.count else { return nil }
        let last = lines.endIndex - part.count
        // An empty part at an end of the list is a gap at that end.
        if part.isEmpty { return atEnd && !atStart ? lines.endIndex : lines.startIndex }
        let first = atEnd && !atStart ? last : lines.startIndex
        let starts = first...(atStart ? lines.startIndex : last)
        return starts.first { start in
            Array(lines[start..<start + part.count]) == part && (!atEnd || start == last)
        }
    }
}
