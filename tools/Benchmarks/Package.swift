// swift-tools-version: 6.2
import PackageDescription

// The peers that the project is measured against, apart from it: a clone builds without them.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
    targets: [
        .executableTarget(name: "HelloServer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
    ]
)
