import Benchmark
import Foundation
import JournalWork

/// The benchmarks of the hot paths by time, throughput and memory; tools/instructions limits their instruction counts.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration.metrics = [.wallClock, .cpuUser, .throughput, .peakMemoryResident]
    Benchmark.defaultConfiguration.maxDuration = .seconds(3)
    for path in HotPath.allCases {
        let operations = path == .page ? 10 : 4_000
        Benchmark("\(path.rawValue), \(operations) operations") { benchmark in
            let folder = FileManager.default.temporaryDirectory.path + "/healthjournal-\(UUID())"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let ground = try await HotPathFixture(WorkFolder(folder))
            benchmark.startMeasurement()
            try await ground.run(path, times: operations)
            benchmark.stopMeasurement()
        }
    }
}
