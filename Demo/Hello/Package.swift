// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Hello",
    dependencies: [.package(name: "YapDatabase", path: "../..")],
    targets: [.executableTarget(name: "hello", dependencies: [.product(name: "LiveTable", package: "YapDatabase")])]
)
