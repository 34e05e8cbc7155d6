// swift-tools-version: 6.0
import PackageDescription

// A program as others write it: it sees the public products only. `./run clients` builds it without a warning and runs it.
let package = Package(
    name: "Clients",
    dependencies: [.package(name: "YapDatabase", path: "../..")],
    targets: [
        .executableTarget(
            name: "everyday-tasks", dependencies: [.product(name: "YapDatabase", package: "YapDatabase")]),
        .executableTarget(
            name: "first-program", dependencies: [.product(name: "YapDatabase", package: "YapDatabase")]),
    ]
)
