// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Headless",
    dependencies: [.package(name: "YapDatabase", path: "../..")],
    targets: [
        .executableTarget(name: "headless", dependencies: [.product(name: "YapDatabase", package: "YapDatabase")])
    ]
)
