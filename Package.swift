// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "YapDatabase",
    products: [
        .library(name: "YapDatabase", targets: ["YapDatabase"]),
        .library(name: "YapDatabaseExtensions", targets: ["YapDatabaseExtensions"]),
        .library(name: "ValueCoding", targets: ["ValueCoding"]),
        .library(name: "YapDatabaseServer", targets: ["YapDatabaseServer"]),
        .library(name: "LiveTable", targets: ["LiveTable"]),
        .executable(name: "yap", targets: ["yap"]),
        .executable(name: "yap-bench", targets: ["yap-bench"]),
    ],
    targets: [
        // No pkgConfig: the headers are in the system paths, and SwiftPM warns wherever pkg-config is not installed.
        .target(name: "CSQLite", dependencies: ["CMutex"], linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CMutex"),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .systemLibrary(name: "CGetopt"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSignals"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // Needed by nothing that imports YapDatabase alone.
        .target(name: "CPostgreSQL"),
        .target(name: "CCrypto"),

        .target(name: "SQLiteBridge", dependencies: ["CSQLite"]),
        .target(name: "ListChanges"),
        .target(name: "SeededRandom"),
        .target(name: "NearestName"),
        .target(name: "ByteFormats"),
        .target(name: "ByteCoders", dependencies: ["ByteFormats"]),
        .target(name: "ObjectDecoding", dependencies: ["ByteFormats", "CZlib"]),
        .target(name: "FileEngine", dependencies: ["CMutex", "SQLiteBridge", "ListChanges"]),
        .target(name: "ViewPageKeys", dependencies: ["SQLiteBridge", "ListChanges"]),
        .target(
            name: "YapDatabase",
            dependencies: ["ByteCoders", "ByteFormats", "FileEngine", "ListChanges", "SQLiteBridge", "ViewPageKeys"]),
        .target(name: "YapDatabaseExtensions", dependencies: ["YapDatabase"]),
        .target(name: "ValueCoding", dependencies: ["YapDatabaseExtensions"]),
        .target(name: "PostgreSQLBridge", dependencies: ["CPostgreSQL"]),
        .target(name: "YapDatabaseServer", dependencies: ["PostgreSQLBridge", "FileEngine", "YapDatabase"]),
        .target(name: "PageCipher", dependencies: ["CCrypto"]),
        .target(name: "TerminalCells"),
        .target(name: "TableModel", dependencies: ["ListChanges", "TerminalCells"]),
        .target(name: "TerminalScreen", dependencies: ["CNcurses", "TerminalCells"]),
        .target(
            name: "ScreenPrograms", dependencies: ["ListChanges", "TableModel", "TerminalCells", "TerminalScreen"]),
        .target(name: "LiveTable", dependencies: ["YapDatabase", "ScreenPrograms", "TableModel", "TerminalScreen"]),
        .target(
            name: "FileReading",
            dependencies: [
                "SQLiteBridge", "ListChanges", "ByteFormats", "NearestName", "ObjectDecoding", "FileEngine",
                "PageCipher",
                "ViewPageKeys",
            ]),
        .target(
            name: "Browser",
            dependencies: ["FileEngine", "FileReading", "ListChanges", "ObjectDecoding", "ScreenPrograms"]),
        .target(
            name: "ChatRoster", dependencies: ["LiveTable", "NearestName", "ObjectDecoding", "SeededRandom"],
            path: "Demo/ChatRoster"),
        .target(
            name: "ChangeScenarios", dependencies: ["ByteFormats", "ListChanges", "YapDatabase"],
            path: "Demo/ChangeScenarios"),
        .executableTarget(name: "terminal-cast", dependencies: ["TerminalCells"], path: "Demo/TerminalCast"),
        .target(
            name: "AnimationLab", dependencies: ["ChangeScenarios", "LiveTable", "SeededRandom"],
            path: "Demo/AnimationLab"),
        .executableTarget(
            name: "yap",
            dependencies: [
                "CGetopt", "CMalloc", "CSignals", "Browser", "FileReading", "LiveTable", "ChatRoster",
                "ChangeScenarios",
                "AnimationLab", "NearestName", "PageCipher",
                "YapDatabaseServer",
            ]),
        .executableTarget(
            name: "terminal-probe", dependencies: ["SeededRandom", "TableModel", "TerminalCells", "TerminalScreen"],
            path: "Tests/Support/TerminalProbe"),
        .target(name: "TestSupport", dependencies: ["SeededRandom"], path: "Tests/Support/TestSupport"),
        .target(
            name: "HostileFiles", dependencies: ["SQLiteBridge", "SeededRandom"], path: "Tests/Support/HostileFiles"),
        .target(
            name: "ScenarioTesting", dependencies: ["ChangeScenarios", "SeededRandom"],
            path: "Tests/Support/ScenarioTesting"),
        .target(name: "DatabaseTesting", dependencies: ["YapDatabase"], path: "Tests/Support/DatabaseTesting"),
        .target(name: "TestTraits", path: "Tests/Support/TestTraits"),
        .executableTarget(name: "test-runner", path: "Tests/Support/TestRunner"),
        .systemLibrary(name: "CSpawn", path: "Tests/Support/CSpawn"),
        .target(
            name: "TerminalTesting", dependencies: ["CSpawn", "TestSupport"], path: "Tests/Support/TerminalTesting"),
        .target(name: "CFaultyVFS", path: "Tests/Support/CFaultyVFS"),
        .target(
            name: "TortureLedger", dependencies: ["SeededRandom", "TestSupport", "YapDatabase"],
            path: "Tests/Support/TortureLedger"),
        .executableTarget(
            name: "torture-probe", dependencies: ["CFaultyVFS", "SeededRandom", "TortureLedger", "YapDatabase"],
            path: "Tests/Support/TortureProbe"),
        .executableTarget(
            name: "yap-bench",
            dependencies: [
                "ByteCoders", "ChatRoster", "CSQLite", "FileReading", "ObjectDecoding", "SeededRandom", "YapDatabase",
                "LiveTable", "PageCipher", "YapDatabaseServer", "PostgreSQLBridge", "PostgreSQLTesting",
            ],
            path: "Benchmarks"),

        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(name: "SQLiteBridgeTests", dependencies: ["SeededRandom", "SQLiteBridge"]),
        .testTarget(name: "ListChangesTests", dependencies: ["ListChanges", "TestSupport"]),
        .testTarget(name: "ByteFormatsTests", dependencies: ["ByteFormats", "TestSupport"]),
        .testTarget(name: "ByteCodersTests", dependencies: ["ByteCoders", "SeededRandom", "TestSupport"]),
        .testTarget(
            name: "ObjectDecodingTests",
            dependencies: ["ByteFormats", "CZlib", "ObjectDecoding", "SQLiteBridge", "TestSupport"]),
        .testTarget(
            name: "FileEngineTests",
            dependencies: ["FileEngine", "ListChanges", "SQLiteBridge", "SeededRandom", "TestSupport"]),
        .testTarget(name: "ViewPageKeysTests", dependencies: ["TestSupport", "ViewPageKeys"]),
        .testTarget(
            name: "YapDatabaseTests",
            dependencies: [
                "DatabaseTesting", "FileEngine", "HostileFiles", "TestSupport", "TestTraits", "ViewPageKeys",
                "YapDatabase",
            ]),
        .testTarget(
            name: "AttackTests",
            dependencies: [
                "DatabaseTesting", "FileEngine", "FileReading", "HostileFiles", "ListChanges", "SeededRandom",
                "SQLiteBridge", "TestSupport", "YapDatabase",
            ]),
        .target(
            name: "PostgreSQLTesting", dependencies: ["CSpawn", "TestSupport"], path: "Tests/Support/PostgreSQLTesting"),
        .testTarget(
            name: "PostgreSQLBridgeTests",
            dependencies: ["PostgreSQLBridge", "PostgreSQLTesting", "SeededRandom", "TestTraits"]),
        .testTarget(
            name: "YapDatabaseServerTests",
            dependencies: [
                "ByteCoders", "DatabaseTesting", "PostgreSQLBridge", "PostgreSQLTesting", "SQLiteBridge",
                "SeededRandom",
                "TestSupport", "TestTraits", "YapDatabaseServer",
            ]),
        .testTarget(
            name: "YapDatabaseExtensionsTests", dependencies: ["TestSupport", "ValueCoding", "YapDatabaseExtensions"]),
        .testTarget(name: "TerminalCellsTests", dependencies: ["TerminalCells", "TestSupport"]),
        .testTarget(name: "TableModelTests", dependencies: ["TableModel", "TestSupport"]),
        .testTarget(
            name: "TerminalScreenTests",
            dependencies: [
                "TerminalCells", "TerminalScreen", "TerminalTesting", "TestSupport", "TestTraits", "terminal-probe",
            ]),
        .testTarget(
            name: "FileReadingTests",
            dependencies: [
                "FileEngine", "FileReading", "HostileFiles", "ListChanges", "ObjectDecoding", "PageCipher",
                "SQLiteBridge", "TestSupport", "TestTraits",
                "TortureLedger", "YapDatabase",
            ]),
        .testTarget(
            name: "BrowserTests",
            dependencies: ["Browser", "FileReading", "ObjectDecoding", "LiveTable", "SQLiteBridge", "TestSupport"]),
        .testTarget(name: "LiveTableTests", dependencies: ["LiveTable", "TestSupport"]),
        .testTarget(
            name: "DocumentationTests", dependencies: ["LiveTable", "TestSupport", "YapDatabaseExtensions"]),
        .testTarget(name: "WikiTests", dependencies: ["LiveTable", "SQLiteBridge", "TestSupport", "YapDatabase"]),
        .testTarget(name: "ChatTests", dependencies: ["ChatRoster", "NearestName", "SeededRandom", "TestSupport"]),
        .testTarget(
            name: "TortureTests",
            dependencies: ["DatabaseTesting", "TerminalTesting", "TortureLedger", "YapDatabase", "torture-probe"]),
        .testTarget(name: "ChangeScenariosTests", dependencies: ["ChangeScenarios", "ScenarioTesting", "TestSupport"]),
        .testTarget(name: "CastTests", dependencies: ["TerminalCells", "terminal-cast"]),
        .testTarget(name: "LabTests", dependencies: ["AnimationLab", "ScenarioTesting", "TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "AnimationLab", "ChatRoster", "HostileFiles", "PostgreSQLTesting", "SQLiteBridge", "TerminalTesting",
                "TestSupport", "TestTraits", "YapDatabase", "yap", "yap-bench",
            ]),
    ]
)

// The random cases of `./run check` spend their time in these: optimized, they take less than half of it.
if Context.environment["YAP_OPTIMIZED_TESTS"] != nil {
    let names = [
        "ByteCoders", "ByteFormats", "FileEngine", "FileReading", "ListChanges", "ObjectDecoding", "SeededRandom",
        "SQLiteBridge", "ViewPageKeys", "YapDatabase",
    ]
    for target in package.targets where names.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
    }
}
