import Foundation
import LiveTable

/// Reads and writes files of scenarios, one a line.
enum ScenarioFile {
    /// Rejects files that may block, such as a pipe, because the screen would block too.
    private static func checkOrdinary(_ path: String) throws {
        var found = stat()
        guard stat(path, &found) == 0 else { return }
        guard found.st_mode & S_IFMT == S_IFREG else { throw LabRefusal("\(path) is not a regular file.") }
        guard found.st_size <= sizeLimit else {
            throw LabRefusal(
                "\(path) has more than \(sizeLimit >> 20) MB, too much for scenarios on a screen: `--replay` reads any number."
            )
        }
    }

    private static let sizeLimit = 64 << 20

    /// Returns the scenarios of a file.
    ///
    /// - Throws: if the file cannot be read, and for the first line that is not a scenario, with its number.
    static func entries(at path: String) throws -> [LabEntry] {
        try checkOrdinary(path)
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw LabRefusal("\(path) cannot be read: \(sentence(ofSystem: error, namesFile: false)).")
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        let entries = try lines.filter { !$0.element.isEmpty }.map { number, line in
            do {
                return try LabEntry(line: Array(line), of: path)
            } catch {
                throw LabRefusal("\(path), line \(number + 1): \(error).")
            }
        }
        guard !entries.isEmpty else { throw LabRefusal("\(path) has no scenario in it.") }
        return entries
    }

    /// Appends a scenario as a line of a file.
    static func append(_ scenario: DatabaseScenario, to path: String) throws {
        try checkOrdinary(path)
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw LabRefusal("\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(scenario.json.bytes + [UInt8(ascii: "\n")]))
    }
}

extension LabEntry {
    init(line: [UInt8], of path: String) throws {
        let scenario =
            switch try Scenario(line: line) {
            case .database(let scenario): scenario
            case .log(let scenario): try scenario.onDatabase()
            }
        self.init(
            name: scenario.id ?? path, scenario: scenario, expected: ExpectedAnswer(line: try JSONReader.read(line)))
    }
}
