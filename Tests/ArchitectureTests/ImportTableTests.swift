import Foundation
import TestSupport
import Testing

/// The import table of `docs/targets.md`, checked against every source file.
@Suite struct ImportTableTests {
    /// Modules of the platform that a target may import besides the project's own.
    private static let platform: Set<String> = ["Foundation", "Dispatch", "Glibc", "Observation", "Synchronization"]

    private static let table: [String: Set<String>] = [
        "Sources/SQLiteBridge": ["CSQLite", "Dispatch", "Synchronization"],
        "Sources/ListChanges": [],
        "Sources/SeededRandom": [],
        "Sources/NearestName": [],
        "Sources/ByteFormats": [],
        "Sources/ByteCoders": platform.union(["ByteFormats"]),
        "Sources/ObjectDecoding": platform.union(["ByteFormats", "CZlib"]),
        "Sources/FileEngine": platform.union(["CMutex", "SQLiteBridge", "ListChanges"]),
        "Sources/YapDatabase": platform.union([
            "ByteCoders", "ByteFormats", "FileEngine", "ListChanges", "SQLiteBridge", "ViewPageKeys",
        ]),
        "Sources/PageCipher": ["CCrypto"],
        "Sources/ViewPageKeys": ["SQLiteBridge", "ListChanges"],
        "Sources/YapDatabaseExtensions": platform.union(["YapDatabase"]),
        "Sources/ValueCoding": ["YapDatabaseExtensions"],
        "Sources/PostgreSQLBridge": platform.union(["CPostgreSQL"]),
        "Sources/YapDatabaseServer": platform.union(["PostgreSQLBridge", "FileEngine", "YapDatabase"]),
        "Sources/TerminalCells": [],
        "Sources/TableModel": ["ListChanges", "TerminalCells"],
        "Sources/TerminalScreen": platform.union(["CNcurses", "TerminalCells"]),
        "Sources/ScreenPrograms": platform.union(["ListChanges", "TableModel", "TerminalCells", "TerminalScreen"]),
        "Sources/LiveTable": platform.union([
            "YapDatabase", "ListChanges", "ScreenPrograms", "TableModel", "TerminalCells", "TerminalScreen",
        ]),
        "Sources/FileReading": platform.union([
            "SQLiteBridge", "ListChanges", "ByteFormats", "NearestName", "ObjectDecoding", "FileEngine", "PageCipher",
            "ViewPageKeys",
        ]),
        "Sources/Browser": platform.union([
            "FileEngine", "ListChanges", "FileReading", "ObjectDecoding", "ScreenPrograms",
        ]),
        "Demo/ChatRoster": platform.union(["LiveTable", "NearestName", "ObjectDecoding", "SeededRandom"]),
        "Demo/TerminalCast": platform.union(["TerminalCells"]),
        "Demo/ChangeScenarios": platform.union(["ByteFormats", "ListChanges", "YapDatabase"]),
        // Packages of their own, as other people's programs are.
        "Demo/Hello": ["Foundation", "LiveTable", "PackageDescription"],
        "Demo/Headless": ["Foundation", "PackageDescription", "YapDatabase"],
        "Demo/Contacts": ["Foundation", "LiveTable", "PackageDescription", "YapDatabase"],
        "Demo/AnimationLab": platform.union(["ChangeScenarios", "LiveTable", "SeededRandom"]),
        "Sources/yap": platform.union([
            "CGetopt", "CMalloc", "CSignals", "ListChanges", "YapDatabase", "YapDatabaseExtensions", "TableModel",
            "TerminalCells",
            "TerminalScreen", "LiveTable", "ChatRoster", "ChangeScenarios", "AnimationLab", "Browser", "FileReading",
            "NearestName", "ObjectDecoding", "PageCipher", "YapDatabaseServer",
        ]),
        "Benchmarks": platform.union([
            "ByteCoders", "CSQLite", "ListChanges", "ObjectDecoding", "SeededRandom", "YapDatabase", "FileReading",
            "TableModel",
            "PageCipher", "TerminalCells", "TerminalScreen", "LiveTable", "ChatRoster", "YapDatabaseServer",
            "PostgreSQLBridge",
            "PostgreSQLTesting",
        ]),
    ]

    @Test(arguments: table.keys.sorted())
    func everyFileImportsOnlyWhatItsTargetMay(folder: String) throws {
        let allowed = try #require(Self.table[folder])
        let files = try swiftFiles(below: folder)
        #expect(!files.isEmpty, "\(folder) has no sources")
        for file in files {
            let extra = try imports(of: file).subtracting(allowed)
            #expect(extra.isEmpty, "\(file.lastPathComponent) in \(folder) imports \(extra.sorted())")
        }
    }

    @Test func everyTargetIsInTheTable() throws {
        let manager = FileManager.default
        let cDoors: Set = [
            "CSQLite", "CMutex", "CNcurses", "CGetopt", "CMalloc", "CSignals", "CZlib", "CPostgreSQL", "CCrypto",
        ]
        for parent in ["Sources", "Demo"] {
            for name in try manager.contentsOfDirectory(atPath: repository.appending(path: parent).path)
            where !cDoors.contains(name) {
                #expect(Self.table["\(parent)/\(name)"] != nil, "\(parent)/\(name) has no line in the import table")
            }
        }
    }

    private func swiftFiles(below folder: String) throws -> [URL] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: folder).path)
        return names.filter { $0.hasSuffix(".swift") }.map { repository.appending(path: folder).appending(path: $0) }
    }

    private func imports(of file: URL) throws -> Set<String> {
        let importLine =
            /^\s*(?:@\w+\s+|public\s+|package\s+|internal\s+|private\s+)*import\s+(?:(?:struct|class|enum|func|protocol|typealias)\s+)?(\w+)/
        var found: Set<String> = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            guard line.contains("import") else { continue }
            if let match = try importLine.firstMatch(in: line) { found.insert(String(match.1)) }
        }
        return found
    }
}
