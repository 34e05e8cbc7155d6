import Foundation
import TerminalScreen

/// A folder with a file for each table of an export, and one for the rest.
final class ExportFolder {
    /// The file that is read first.
    static let headName = "file.jsonl"
    static let ending = ".jsonl"

    private let path: String
    /// Whether the export created the folder.
    private let isNew: Bool
    /// The file that was written last: rows arrive table by table.
    private var open: (name: String, file: UnsafeMutablePointer<FILE>)?
    /// The file name of each table.
    private var names: [String: String] = [:]
    /// The number of tables so far with the same safe name.
    private var twins: [String: Int] = [:]

    init(path: String) throws {
        self.path = path
        let manager = FileManager.default
        var isFolder: ObjCBool = false
        isNew = !manager.fileExists(atPath: path, isDirectory: &isFolder)
        if !isNew, !isFolder.boolValue { throw UsageError("\(path) is a file. An export needs a new or empty folder.") }
        do {
            if !isNew, try !manager.contentsOfDirectory(atPath: path).isEmpty {
                throw UsageError("\(path) is not empty. An export needs a new or empty folder.")
            }
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch let error as UsageError {
            throw error
        } catch {
            throw Failure(
                "\(path) cannot be made: \(sentence(ofSystem: error, namesFile: false)). Choose another folder.")
        }
    }

    /// Writes lines.
    /// - Parameter table: nil for lines about the whole file.
    func write(_ lines: [UInt8], _ table: String?) throws {
        let name = name(table)
        let file = try file(name)
        let written = lines.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard written == lines.count else { throw failure(name) }
    }

    func close() throws {
        guard let (name, file) = open else { return }
        open = nil
        guard fclose(file) == 0 else { throw failure(name) }
    }

    /// Removes what was exported so far.
    func abandon() {
        if let file = open?.file { fclose(file) }
        open = nil
        for name in names.values { unlink(path + "/" + name) }
        if isNew { rmdir(path) }
    }

    private func file(_ name: String) throws -> UnsafeMutablePointer<FILE> {
        if let open, open.name == name { return open.file }
        try close()
        guard let file = fopen(path + "/" + name, "a") else { throw failure(name) }
        open = (name, file)
        return file
    }

    /// Returns a valid file name; a table's name may contain anything.
    private func name(_ table: String?) -> String {
        guard let table else {
            names[""] = Self.headName
            return Self.headName
        }
        if let known = names[table] { return known }
        let safe = String(table.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
        let twin = twins[safe, default: 0]
        twins[safe] = twin + 1
        // Safe names contain no dot.
        let name = "rows-\(safe)" + (twin == 0 ? "" : ".\(twin)") + Self.ending
        names[table] = name
        return name
    }

    private func failure(_ name: String) -> Failure {
        .ofSystem("\(path)/\(name) cannot be written, and nothing is kept of the export")
    }
}
