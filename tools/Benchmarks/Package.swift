// swift-tools-version: 6.2
import PackageDescription

// The benchmarks of the project and of its peers, in a separate package: the project itself builds without their
// dependencies.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "HealthJournal", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        // The traits are those of the project: another one would make both build it again and again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
    ],
    targets: [
        .executableTarget(
            name: "Measure",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "JournalWork", package: "HealthJournal"),
            ]
        ),
        // The target that `swift package benchmark` runs
        .executableTarget(
            name: "HotPaths",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "JournalWork", package: "HealthJournal"),
            ],
            path: "Benchmarks/HotPaths",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(name: "HelloServer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")]),
    ]
)
