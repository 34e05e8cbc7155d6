import Foundation
import TableModel

extension ParsedOptions {
    /// Returns `--db`: the file in which a screen keeps its data.
    ///
    /// - Throws: if no file can be there, before anything is created.
    func database() throws -> URL? {
        guard let path = self["db"] else { return nil }
        guard !["", "-", ":memory:"].contains(path) else {
            throw UsageError("--db takes the name of a file, not \"\(path)\".")
        }
        if let inWay = Self.fileInWay(of: path) {
            throw Failure("\(path) cannot be a database: \(inWay) is a file and no folder.")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw Failure("\(path) cannot be a database: it is a folder. Name a file in it.")
        }
        return URL(filePath: path)
    }

    /// Returns the first of a path's parent folders that is not a folder.
    private static func fileInWay(of path: String) -> String? {
        var folder = path
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = String(folder[..<slash])
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) {
                return isFolder.boolValue ? nil : folder
            }
        }
        return nil
    }
}

extension ParsedOptions {
    /// Returns a non-negative integer.
    func number(_ name: String) throws -> UInt64? {
        guard let text = self[name] else { return nil }
        guard let number = UInt64(text) else { throw UsageError("--\(name) takes a whole number, not \"\(text)\".") }
        return number
    }

    /// Returns one of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        return try Self.choice(text, called: "--\(name)")
    }

    /// Returns `--motion`, or else the value of the environment.
    func motion() throws -> MotionLevel {
        if let level: MotionLevel = try choice("motion") { return level }
        // Empty is unset, as a script leaves a variable that it switches off.
        guard let text = ProcessInfo.processInfo.environment["YAP_MOTION"], !text.isEmpty else { return .full }
        return try Self.choice(text, called: "YAP_MOTION")
    }

    /// Returns `--seed`, or else a random one.
    func seed() throws -> UInt64 { try number("seed") ?? UInt64.random(in: 0..<1_000_000) }

    /// Returns the operand of a command that takes one file.
    func file() throws -> String {
        guard let path = operands.first, operands.count == 1 else {
            throw UsageError(operands.isEmpty ? "Which file?" : "One file at a time.")
        }
        guard path != "-" else {
            throw UsageError(
                "A database is a file: it is not read from one end to the other, as standard input is. A file of that name is ./-."
            )
        }
        return path
    }

    func refuseOperands() throws {
        if let operand = operands.first { throw UsageError("\"\(operand)\" is not expected here.") }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, called name: String
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(name) is one of \(words), not \"\(text)\".")
        }
        return choice
    }
}

extension Option {
    static let motion = Option(
        name: "motion", argument: "LEVEL", choices: MotionLevel.allCases.map(\.rawValue),
        help: "The amount of animation: full, reduced (nothing moves) or none.")
    static let unicode = Option(
        name: "unicode", argument: "LEVEL", choices: UnicodeLevel.allCases.map(\.rawValue),
        help: "The part of Unicode to draw: full, safe or ascii; by default safe in a UTF-8 locale, else ascii.")
}
