import ArgumentParser
import Dispatch
import Foundation
import Glibc
import HealthModel
import Interchange
import Logging
import Platform

/// The form of the service's log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    /// `2026-03-01T07:00:00.123Z info answered method=GET route=/v1/records status=200`
    case text
    /// One JSON object a line, with the same members.
    case json
}

/// How serious a message must be to be logged.
enum ServiceLogLevel: String, ExpressibleByArgument, CaseIterable {
    case info, notice, warning, error

    var level: Logger.Level {
        switch self {
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

/// Writes the service's log to the standard error, one line for each message.
///
/// The service logs routes, statuses, durations and ids, never health data: an address is logged as its route template.
struct ServiceLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let format: LogFormat
    private let write: @Sendable (String) -> Void

    init(_ format: LogFormat, level: Logger.Level, write: @escaping @Sendable (String) -> Void) {
        (self.format, logLevel, self.write) = (format, level, write)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000) * 1_000)
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }.sorted { $0.key < $1.key }
        let (time, level, message) = (now.description, event.level.rawValue, event.message.description)
        switch format {
        case .text:
            let members = all.map { " \($0.key)=\(ServiceLog.quoted($0.value.description))" }.joined()
            write("\(time) \(level) \(message.escapedLines)\(members)\n")
        case .json:
            var members: [JSONValue.Member] = [
                .init("time", .string(time)), .init("level", .string(level)), .init("message", .string(message)),
            ]
            for (key, value) in all { members.append(.init(key, ServiceLog.json(value.description))) }
            write(JSONWriter.text(.object(members), .compact) + "\n")
        }
    }

    /// A number stays one, so that it can be compared and summed up.
    private static func json(_ text: String) -> JSONValue { Int(text).map { .integer($0) } ?? .string(text) }

    /// Quotes a value that contains a space, so that a line can be split at spaces.
    private static func quoted(_ value: String) -> String {
        let line = value.escapedLines
        guard line.contains(" ") || line.contains("\"") || line.isEmpty else { return line }
        return "\"\(line.replacing("\"", with: "\\\""))\""
    }
}

/// Writes lines to the standard error, on a thread of its own.
///
/// If they are not read, lines are left out and counted: a log must not stop the service.
final class LogWriter: Sendable {
    private let queue = DispatchQueue(label: "healthjournal.log")
    private let state = Guarded<(waiting: Int, left: Int)>((0, 0))
    private let descriptor: Int32
    private static let maximumWaiting = 1_000

    init(descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    func write(_ line: String) {
        let isAdmitted = state.withLock { state in
            guard state.waiting < LogWriter.maximumWaiting else {
                state.left += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard isAdmitted else { return }
        queue.async { [self] in
            let left = state.withLock { state in
                defer { state.left = 0 }
                return state.left
            }
            let note = left == 0 ? "" : "\(left) lines of the log were left out, because nobody read it\n"
            try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                .write(contentsOf: Data((note + line).utf8))
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Waits until the lines are written, at most a second.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + 1)
    }
}

extension String {
    /// The text on one line, without characters that control a terminal.
    fileprivate var escapedLines: String { TerminalText.escaped(self).replacing("\n", with: "\\n") }
}
