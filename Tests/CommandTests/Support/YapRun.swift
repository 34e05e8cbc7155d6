import Foundation
import Testing

/// A finished run of `yap` or another of our programs.
struct YapRun {
    /// The exit code; -9 if signal 9 has ended it.
    let code: Int32
    /// The output.
    let lines: [String]
    let errors: String

    init(
        _ arguments: [String], product: String = "yap", input: String = "", environment: [String: String] = [:],
        folder: URL? = nil
    ) throws {
        let process = try YapProcess(arguments, product: product, environment: environment, folder: folder)
        if !input.isEmpty { try process.write(input) }
        try process.endInput()
        var lines: [String] = []
        while let line = try process.readLine() { lines.append(line) }
        self.lines = lines
        errors = process.errorText()
        code = process.exitCode()
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// The lines as JSON objects.
    func objects() throws -> [[String: Any]] {
        try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }
}

func browse(_ arguments: String...) throws -> YapRun { try YapRun(["browse"] + arguments) }

func check(_ arguments: [String]) throws -> YapRun { try YapRun(["check"] + arguments) }

/// Returns the whole output of `yap`.
func output(_ arguments: [String]) throws -> String {
    let run = try YapRun(arguments)
    #expect(run.code == 0, "yap \(arguments.joined(separator: " "))")
    return run.text
}
