internal import Foundation

/// A monitor that others wrote: the packages of the Go checksum database, as Debian has them (tools/monitor).
package enum GoMonitor {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build-monitor/monitor").path

    package static let isBuilt = FileManager.default.isExecutableFile(atPath: program)

    package static func run(_ arguments: String...) throws -> Outcome { try Outcome(of: program, arguments) }
}
