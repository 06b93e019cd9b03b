import Benchmark
import Foundation
import JournalWork

/// The hot paths, measured by wall clock, processor time and memory; tools/instructions holds them to their instructions.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration.metrics = [.wallClock, .cpuUser, .throughput, .peakMemoryResident]
    Benchmark.defaultConfiguration.maxDuration = .seconds(3)
    for path in HotPath.allCases {
        let operations = path == .page ? 10 : 4_000
        Benchmark("\(path.rawValue), \(operations) operations") { benchmark in
            let folder = FileManager.default.temporaryDirectory.path + "/healthjournal-\(UUID())"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let ground = try await HotPathGround(WorkFolder(folder))
            benchmark.startMeasurement()
            try await ground.run(path, times: operations)
            benchmark.stopMeasurement()
        }
    }
}
