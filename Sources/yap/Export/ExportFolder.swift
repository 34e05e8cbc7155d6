import Foundation

/// A folder with a file for each table of an export, and one for what is about them all.
final class ExportFolder {
    /// The file that is read first.
    static let headName = "file.jsonl"
    static let ending = ".jsonl"

    private let path: String
    private var open: [String: UnsafeMutablePointer<FILE>] = [:]
    private var names: Set<String> = []

    init(path: String) throws {
        self.path = path
        let manager = FileManager.default
        if manager.fileExists(atPath: path), try !manager.contentsOfDirectory(atPath: path).isEmpty {
            throw UsageError("\(path) is not empty. An export wants a folder of its own.")
        }
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// - Parameter table: nil for what is about the whole file.
    func write(_ line: [UInt8], _ table: String?) throws {
        let file = try file(table)
        let written = line.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard written == line.count, fputc(10, file) != EOF else { throw POSIXError.last }
    }

    func close() throws {
        for file in open.values where fclose(file) != 0 { throw POSIXError.last }
        open = [:]
    }

    private func file(_ table: String?) throws -> UnsafeMutablePointer<FILE> {
        if let known = open[table ?? ""] { return known }
        let name = table.map(unusedName) ?? Self.headName
        guard let file = fopen(path + "/" + name, "w") else { throw POSIXError.last }
        open[table ?? ""] = file
        return file
    }

    /// A table's name may hold anything; a file's may not.
    private func unusedName(_ table: String) -> String {
        let safe = String(table.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
        var name = "rows-\(safe)"
        while !names.insert(name).inserted { name += "-" }
        return name + Self.ending
    }
}
