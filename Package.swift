// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HealthJournal",
    products: [
        .library(name: "HealthJournal", targets: ["HealthJournal"]),
        .executable(name: "healthjournal", targets: ["JournalCommand"]),
        .executable(name: "healthjournal-replay", targets: ["replay"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        // Storage
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "LMDB", dependencies: ["CLMDB"]),

        // The truth: an append-only log that knows nothing of health
        .target(name: "EventLog", dependencies: ["LMDB", .product(name: "Crypto", package: "swift-crypto")]),

        // What a journal holds, as pure values and functions
        .target(
            name: "HealthModel",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["Stored/journal.proto"]
        ),

        // Where the log and the model meet: the events of one as the events of the other
        .target(name: "JournalEvents", dependencies: ["EventLog", "HealthModel"]),

        // Views, rebuilt from the log at will
        .target(name: "ProjectionKit", dependencies: ["EventLog", "LMDB"]),
        .target(
            name: "MedicalRecords",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/MedicalRecords"
        ),
        .target(
            name: "CaregiverPermissions",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/CaregiverPermissions"
        ),
        .target(
            name: "CostSummary",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/CostSummary"
        ),

        // Formats in and out
        .target(name: "Interchange", dependencies: ["HealthModel"]),

        // The application: commands in, queries out, one gate, one audit of reads
        .target(
            name: "HealthJournal",
            dependencies: [
                "EventLog", "LMDB", "HealthModel", "JournalEvents", "ProjectionKit", "MedicalRecords",
                "CaregiverPermissions", "CostSummary", "Interchange", .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),

        // What a person runs
        .executableTarget(
            name: "JournalCommand",
            dependencies: [
                "HealthJournal", "EventLog", "HealthModel", "CostSummary", "Interchange",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "replay",
            dependencies: [
                "EventLog", "HealthModel", "JournalEvents", "Interchange", "ProjectionKit", "MedicalRecords",
                "CaregiverPermissions", "CostSummary",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "tools/replay"
        ),

        // Tests, what they share, and a process that they start and kill
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .executableTarget(name: "LogWriter", dependencies: ["EventLog", "LMDB"], path: "Tests/LogWriter"),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB", "TestSupport", "LogWriter"]),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "EventLog", "LMDB", "TestSupport", "LogWriter", .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(name: "HealthModelTests", dependencies: ["HealthModel"]),
        .testTarget(name: "InterchangeTests", dependencies: ["Interchange", "HealthModel"]),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "replay", "TestSupport", "EventLog", "HealthModel", "JournalEvents", "Interchange", "ProjectionKit",
                "MedicalRecords",
                "CaregiverPermissions", "CostSummary",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["check_proof.py"]
        ),
        .testTarget(name: "ProjectionKitTests", dependencies: ["ProjectionKit", "EventLog", "LMDB", "TestSupport"]),
        .testTarget(
            name: "HealthJournalTests",
            dependencies: [
                "HealthJournal", "EventLog", "HealthModel", "JournalEvents", "MedicalRecords", "CaregiverPermissions",
                "CostSummary", "Interchange", "TestSupport",
            ]
        ),
        .testTarget(name: "JournalCommandTests", dependencies: ["JournalCommand", "Interchange", "TestSupport"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableExperimentalFeature("Lifetimes"),
            .strictMemorySafety(),
        ]
}
