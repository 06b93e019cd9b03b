// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HealthJournal",
    products: [
        .library(name: "HealthJournal", targets: ["HealthJournal"]),
        .executable(name: "healthjournal", targets: ["JournalCommand"]),
        .executable(name: "healthjournal-replay", targets: ["replay"]),
        // For tests only: preloaded into processes that they start, to observe their writes and make them fail.
        .library(name: "FaultShim", type: .dynamic, targets: ["FaultShim"]),
        // For tools/Benchmarks only: the workloads that it measures.
        .library(name: "JournalWork", targets: ["JournalWork"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // At most one trait each: the order of the flags of several differs between runs of the package manager, and then
        // all modules that depend on the package are compiled again.
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The files that are part of the programs: templates, texts, lists
        .target(name: "CEmbeddedFiles"),
        .target(name: "EmbeddedFiles", dependencies: ["CEmbeddedFiles"]),

        // Files, locks and threads of the operating system
        .systemLibrary(name: "CPlatform"),
        .target(name: "Platform", dependencies: ["CPlatform"]),

        // Storage
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "LMDB", dependencies: ["CLMDB", "Platform"]),

        // Encryption and hashing of every event
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "Cipher", dependencies: ["COpenSSL", .product(name: "Crypto", package: "swift-crypto")]),

        // The event log: append-only, and independent of health data
        .target(
            name: "EventLog",
            dependencies: ["Cipher", "LMDB", "Platform", .product(name: "Crypto", package: "swift-crypto")]
        ),

        // The data model of a journal, as pure values and functions
        .target(
            name: "HealthModel",
            dependencies: [
                "EmbeddedFiles", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["Names/substances.names", "Stored/journal.proto"]
        ),

        // The mapping between events of the log and events of the model
        .target(name: "JournalEvents", dependencies: ["EventLog", "HealthModel"]),

        // Views, which can be rebuilt from the log at any time
        .target(name: "ProjectionKit", dependencies: ["EventLog", "LMDB", "Platform"]),
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
        .target(
            name: "PlanCalendar",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/PlanCalendar"
        ),
        .target(
            name: "Interactions",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/Interactions"
        ),
        .target(
            name: "PracticeDirectory",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/PracticeDirectory"
        ),
        .target(
            name: "AppointmentCalendar",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/AppointmentCalendar"
        ),
        .target(
            name: "TriageQueue",
            dependencies: ["ProjectionKit", "JournalEvents", "HealthModel", "EventLog", "LMDB"],
            path: "Projections/TriageQueue"
        ),

        // Import and export formats
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Interchange",
            dependencies: [
                "CExpat", "CZlib", "EmbeddedFiles", "HealthModel", "Platform",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Interactions/starter.json", "CSV/mappings.json"]
        ),

        // The application: its core, with the authorization gate and the audit of reads
        .target(
            name: "JournalCore",
            dependencies: [
                "EventLog", "Platform", "HealthModel", "JournalEvents", "ProjectionKit", "MedicalRecords",
                "CaregiverPermissions", "CostSummary", "PlanCalendar", "Interactions", "PracticeDirectory",
                "AppointmentCalendar", "TriageQueue", "Interchange", "EmbeddedFiles",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Accounts/common.passwords"]
        ),

        // Capabilities over the core
        .target(
            name: "JournalCare",
            dependencies: [
                "JournalCore", "EventLog", "HealthModel", "JournalEvents", "MedicalRecords", "CaregiverPermissions",
                "PlanCalendar", "Interactions", "Interchange",
            ]
        ),
        .target(
            name: "JournalClinic",
            dependencies: [
                "JournalCore", "JournalExchange", "EventLog", "Platform", "HealthModel", "JournalEvents",
                "MedicalRecords", "CaregiverPermissions", "PracticeDirectory", "AppointmentCalendar", "TriageQueue",
                "Interchange",
            ]
        ),
        .target(
            name: "JournalExchange",
            dependencies: [
                "JournalCore", "EventLog", "Platform", "HealthModel", "JournalEvents", "MedicalRecords",
                "CaregiverPermissions", "Interchange",
            ]
        ),
        .target(
            name: "JournalIngest",
            dependencies: [
                "JournalCore", "JournalCare", "JournalClinic", "EventLog", "HealthModel", "JournalEvents",
                "MedicalRecords", "CaregiverPermissions", "Interchange",
            ]
        ),
        .target(
            name: "JournalReminders",
            dependencies: [
                "JournalCore", "JournalCare", "JournalClinic", "EventLog", "Platform", "HealthModel", "JournalEvents",
                "ProjectionKit", "MedicalRecords", "CaregiverPermissions", "PracticeDirectory", "Interchange",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "JournalReplication",
            dependencies: [
                "JournalCore", "JournalCare", "JournalIngest", "EventLog", "Platform", "HealthModel", "JournalEvents",
                "ProjectionKit", "MedicalRecords", "CaregiverPermissions", "Interchange",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "JournalMaintenance",
            dependencies: [
                "JournalCore", "EventLog", "LMDB", "Platform", "HealthModel", "JournalEvents", "ProjectionKit",
            ]
        ),

        // The application as one module, and its public interface for other programs
        .target(
            name: "HealthJournal",
            dependencies: [
                "JournalCore", "JournalCare", "JournalClinic", "JournalExchange", "JournalIngest", "JournalReminders",
                "JournalReplication", "JournalMaintenance", "EventLog", "HealthModel", "Interchange",
            ]
        ),

        // The web pages: templates, texts, charts
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "QRCode", dependencies: ["CQREncode"]),
        .target(
            name: "JournalPages",
            dependencies: [
                "EmbeddedFiles", "HealthModel", "Interchange", "QRCode",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            exclude: ["Assets", "Templates", "Words/Texts"]
        ),

        // The service: HTTP over the application
        .target(
            name: "JournalServer",
            dependencies: [
                "HealthJournal", "EventLog", "Platform", "HealthModel", "CostSummary", "Interchange", "JournalPages",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),

        // The command-line programs
        .target(
            name: "CommandRun",
            dependencies: [
                "HealthModel", "Platform", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "JournalCommand",
            dependencies: [
                "HealthJournal", "JournalServer", "EventLog", "HealthModel", "CostSummary", "Interchange",
                "JournalPages",
                "Platform", "CommandRun", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "replay",
            dependencies: [
                "EventLog", "HealthModel", "JournalEvents", "Interchange", "Platform", "ProjectionKit",
                "MedicalRecords", "CaregiverPermissions", "CostSummary", "PlanCalendar", "Interactions",
                "PracticeDirectory", "AppointmentCalendar", "TriageQueue", "CommandRun",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "tools/replay"
        ),

        // The workloads of the benchmarks, with a public API for the Benchmarks package
        .target(
            name: "JournalWork",
            dependencies: [
                "EventLog", "LMDB", "HealthModel", "HealthJournal", "Interchange", "JournalEvents", "ProjectionKit",
                "MedicalRecords", "CaregiverPermissions", "CostSummary",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "tools/Benchmarks/Work"
        ),

        // Tests, their shared code, and processes that they start and kill
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .target(name: "TestSupport", dependencies: ["CSpawn", "Interchange", "Platform"], path: "Tests/TestSupport"),
        .target(name: "RandomCare", dependencies: ["HealthModel", "TestSupport"], path: "Tests/RandomCare"),
        .target(name: "Workload", dependencies: ["EventLog", "LMDB", "ProjectionKit"], path: "Tests/Workload"),
        .executableTarget(
            name: "LogWriter",
            dependencies: ["EventLog", "LMDB", "ProjectionKit", "Workload"],
            path: "Tests/LogWriter"
        ),
        .target(name: "FaultShim", path: "Tests/FaultShim"),
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "EventLog", "HealthJournal", "JournalReplication", "HealthModel", "LMDB", "ProjectionKit",
                "TestSupport",
                "Workload",
                "LogWriter", "JournalReader",
            ]
        ),
        .executableTarget(
            name: "JournalReader",
            dependencies: ["HealthJournal", "JournalReplication", "EventLog", "HealthModel"],
            path: "Tests/JournalReader"
        ),
        .testTarget(
            name: "CipherTests",
            dependencies: ["Cipher", "LMDB", "Platform", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
        .testTarget(name: "LMDBTests", dependencies: ["LMDB", "CLMDB", "Platform", "TestSupport", "LogWriter"]),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "EventLog", "LMDB", "Platform", "TestSupport", "LogWriter",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(name: "HealthModelTests", dependencies: ["HealthModel", "TestSupport"]),
        .testTarget(
            name: "InterchangeTests",
            dependencies: ["Interchange", "HealthModel", "RandomCare", "TestSupport"],
            exclude: ["Schemas/check_schemas.py", "read_calendar.py", "read_cards.py"]
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "replay", "CommandRun", "TestSupport", "EventLog", "Platform", "HealthModel", "JournalEvents",
                "Interchange", "ProjectionKit",
                "MedicalRecords",
                "CaregiverPermissions", "CostSummary", "PlanCalendar", "Interactions", "PracticeDirectory",
                "AppointmentCalendar", "TriageQueue",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["check_proof.py"]
        ),
        .testTarget(
            name: "ProjectionKitTests",
            dependencies: ["ProjectionKit", "EventLog", "LMDB", "Platform", "TestSupport"]
        ),
        .testTarget(
            name: "HealthJournalTests",
            dependencies: [
                "HealthJournal", "JournalCore", "JournalClinic", "JournalIngest", "JournalReplication", "EventLog",
                "HealthModel", "JournalEvents", "MedicalRecords", "CaregiverPermissions",
                "CostSummary", "PlanCalendar", "Interactions", "PracticeDirectory", "AppointmentCalendar",
                "TriageQueue", "Interchange", "LMDB", "Platform", "ProjectionKit", "RandomCare",
                "TestSupport", "JournalReader", "LogWriter",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(name: "JournalPagesTests", dependencies: ["JournalPages", "HealthModel", "Interchange"]),
        .testTarget(
            name: "JournalServerTests",
            dependencies: [
                "JournalServer", "HealthJournal", "JournalCore", "JournalReminders", "EventLog", "HealthModel",
                "Interchange", "JournalEvents", "LMDB",
                "Platform", "ProjectionKit", "JournalPages", "TestSupport", "LogWriter",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: [
                "attack.py", "Connections/connections.py", "Documents/stalled_uploads.py", "Ingest/post_events.py",
                "Ingest/send_lines.py", "LongRequests/long_requests.py", "OpenAPI/check_openapi.py",
                "FHIR/read_fhir.py",
            ]
        ),
        .target(
            name: "FuzzTargets",
            dependencies: ["EventLog", "LMDB", "HealthModel", "Interchange"],
            path: "Tests/FuzzTargets"
        ),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], exclude: ["Cases"]),
        // The program of the guide Embedding, which sees only the public interface
        .executableTarget(
            name: "Example",
            dependencies: ["HealthJournal"],
            path: "Tests/Example",
            packageAccess: false
        ),
        .testTarget(
            name: "JournalCommandTests",
            dependencies: [
                "JournalCommand", "Example", "CommandRun", "EventLog", "HealthModel", "Interchange", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: [
                "check_fhir.py", "Remote/between.py", "Reminders/check_signature.py", "Reminders/http_server.py",
                "Reminders/mail_server.py", "Reminders/push_server.py", "Reminders/read_feed.py",
                "Reminders/silent_server.py", "Replica/cut.py",
            ]
        ),
    ],
    // For #embed
    cLanguageStandard: .c2x
)

// Makes the programs smaller, also in memory: relocations are packed, and symbols that no other module uses are not exported.
for target in package.targets where ["JournalCommand", "replay"].contains(target.name) {
    target.linkerSettings = [
        .unsafeFlags(
            ["-use-ld=lld"] + ["-z", "pack-relative-relocs", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] },
            .when(configuration: .release)
        )
    ]
}

// The optimiser of Swift 6.3.1 crashes in some asynchronous tests ("While splitting coroutine"), and tests need no
// optimisation: tools/faults and tools/sanitize build them for release with what they test.
for target in package.targets where target.type == .test {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// Only tools/fuzz can link it, because libFuzzer provides its own `main`.
if Context.environment["HEALTHJOURNAL_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["FuzzTargets"],
            path: "Tests/Fuzzer",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    )
}

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
