import Foundation
import Glibc
import HealthJournal
import HealthModel
import Subprocess

/// Sets a document as a PDF with Typst.
///
/// The source and the document pass through pipes only: nothing is written to a file.
enum PDFPrinter {
    /// Limits on the time for a document and on its size.
    static let seconds = 60
    static let duration: Duration = .seconds(seconds)
    static let maximumBytes = 64 << 20
    /// Typst needs 50 KB of memory for each entry.
    static let maximumEntries = 10_000

    /// Ignores SIGPIPE: writing to a program that has ended then fails with an error instead of ending this process.
    ///
    /// In the service, the network library already does this; the command line has no sockets.
    private static let survivesBrokenPipes: Bool = signal(SIGPIPE, SIG_IGN) != nil

    static func pdf(of source: String, by program: String = "typst") async throws -> [UInt8] {
        _ = survivesBrokenPipes
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                // PDF/UA-1 has the structure that screen readers need, and no character without a font. A single such
                // character may not keep a whole record from being printed.
                if let bytes = try await print(source, program, ["--pdf-standard", "ua-1"]) { return bytes }
                // A program that was ended because the time was over is not started again.
                try Task.checkCancellation()
                guard let bytes = try await print(source, program, []) else {
                    throw JournalError(
                        .failed,
                        "Typst could not set the document: export HTML and print it from a browser"
                    )
                }
                return bytes
            }
            group.addTask {
                try await Task.sleep(for: duration)
                return nil
            }
            // Cancels the other task; if that is the rendering, this ends the program.
            defer { group.cancelAll() }
            guard let bytes = try await group.next().flatMap(\.self) else {
                throw JournalError(
                    .conflict,
                    "printing took longer than \(duration): export HTML and print it from a browser"
                )
            }
            return bytes
        }
    }

    /// Returns the document; nil if the program refuses it.
    private static func print(_ source: String, _ program: String, _ options: [String]) async throws -> [UInt8]? {
        do {
            let result = try await run(
                .name(program),
                arguments: Arguments(["compile", "--format", "pdf"] + options + ["-", "-"]),
                environment: .custom(environment),
                input: .inputWriter,
                output: .bytes(limit: maximumBytes),
                error: .discarded
            ) { execution in
                // A program that exits before it has read everything reports that by its status. The input is written
                // and closed here, because swift-subprocess 1.0.2 ends the whole process if its own writing is
                // interrupted.
                _ = try? await execution.standardInputWriter.write(source)
                try? await execution.standardInputWriter.finish()
            }
            guard result.terminationStatus.isSuccess, result.standardOutput.starts(with: "%PDF".utf8) else {
                return nil
            }
            return result.standardOutput
        } catch let error as SubprocessError {
            if error.code == .executableNotFound { throw JournalError.noPrinter }
            if error.code == .outputLimitExceeded {
                throw JournalError(.conflict, "the document is larger than \(maximumBytes >> 20) MiB: export HTML")
            }
            throw JournalError(.failed, "Typst could not be started: export HTML and print it from a browser")
        }
    }

    /// The search path only: Typst gets no settings of the operator's account, and no home or cache directory.
    private static var environment: [Environment.Key: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": path, "LANG": "C.UTF-8", "HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"]
    }
}

extension JournalError {
    fileprivate static let noPrinter = JournalError(
        .notInstalled,
        "a PDF needs Typst, whose command is not installed on the server: see the guide Limits; or export HTML"
    )
}
