// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Contacts",
    dependencies: [.package(name: "YapDatabase", path: "../..")],
    targets: [.executableTarget(name: "contacts", dependencies: [.product(name: "LiveTable", package: "YapDatabase")])]
)
