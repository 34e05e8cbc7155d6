// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "YapDatabase",
    products: [
        .library(name: "YapDatabase", targets: ["YapDatabase"]),
        .library(name: "YapDatabaseExtensions", targets: ["YapDatabaseExtensions"]),
        .library(name: "LiveTable", targets: ["LiveTable"]),
        .executable(name: "yap", targets: ["yap"]),
        .executable(name: "yap-bench", targets: ["yap-bench"]),
    ],
    targets: [
        // No pkgConfig: the headers are in the system paths, and SwiftPM warns wherever pkg-config is not installed.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .systemLibrary(name: "CGetopt"),

        .target(name: "SQLiteBridge", dependencies: ["CSQLite"]),
        .target(name: "ListChanges"),
        .target(name: "YapDatabase", dependencies: ["SQLiteBridge", "ListChanges"]),
        .target(name: "YapDatabaseExtensions", dependencies: ["YapDatabase"]),
        .target(name: "TableModel", dependencies: ["ListChanges"]),
        .target(name: "TerminalScreen", dependencies: ["CNcurses", "TableModel"]),
        .target(name: "LiveTable", dependencies: ["YapDatabase", "TableModel", "TerminalScreen"]),
        .target(name: "ChatRoster", dependencies: ["LiveTable"], path: "Demo/ChatRoster"),
        .target(name: "AnimationLab", dependencies: ["LiveTable"], path: "Demo/AnimationLab"),
        .executableTarget(
            name: "yap", dependencies: ["CGetopt", "LiveTable", "ChatRoster", "AnimationLab"]),
        .executableTarget(
            name: "terminal-probe", dependencies: ["TableModel", "TerminalScreen"], path: "Tests/Support/TerminalProbe"),
        .target(name: "TerminalTesting", path: "Tests/Support/TerminalTesting"),
        .target(name: "CFaultyVFS", path: "Tests/Support/CFaultyVFS"),
        .target(name: "TortureLedger", dependencies: ["YapDatabase"], path: "Tests/Support/TortureLedger"),
        .executableTarget(
            name: "torture-probe", dependencies: ["CFaultyVFS", "TortureLedger", "YapDatabase"],
            path: "Tests/Support/TortureProbe"),
        .executableTarget(
            name: "yap-bench", dependencies: ["CSQLite", "YapDatabase", "LiveTable"], path: "Benchmarks"),

        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "SQLiteBridgeTests", dependencies: ["SQLiteBridge"]),
        .testTarget(name: "ListChangesTests", dependencies: ["ListChanges"]),
        .testTarget(name: "YapDatabaseTests", dependencies: ["YapDatabase"]),
        .testTarget(name: "YapDatabaseExtensionsTests", dependencies: ["YapDatabaseExtensions"]),
        .testTarget(name: "TableModelTests", dependencies: ["TableModel"]),
        .testTarget(
            name: "TerminalScreenTests",
            dependencies: ["TableModel", "TerminalScreen", "TerminalTesting", "terminal-probe"]),
        .testTarget(name: "LiveTableTests", dependencies: ["LiveTable"]),
        .testTarget(
            name: "TortureTests", dependencies: ["TerminalTesting", "TortureLedger", "YapDatabase", "torture-probe"]),
        .testTarget(name: "LabTests", dependencies: ["AnimationLab"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "AnimationLab", "ChatRoster", "SQLiteBridge", "TerminalTesting", "YapDatabase", "yap", "yap-bench",
            ]),
    ]
)
