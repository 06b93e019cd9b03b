import Foundation
import Glibc
import HealthJournal
import Subprocess

/// Turns a page into a PDF, by WeasyPrint.
///
/// The page goes in and the document comes out through pipes: nothing of it is ever written to a file.
enum PDFPrinter {
    /// How long a document may take, and how large it may be.
    static let duration: Duration = .seconds(120)
    static let maximumBytes = 64 << 20
    /// Above so many, WeasyPrint would not be done in time.
    static let mostEntries = 10_000

    /// A program that ends while it is written to is an error of that writing, and not the end of this process.
    ///
    /// A service's sockets see to that already; the command line has none.
    private static let survivesBrokenPipes: Bool = signal(SIGPIPE, SIG_IGN) != nil

    static func pdf(of page: String, by program: String = "weasyprint") async throws -> [UInt8] {
        _ = survivesBrokenPipes
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await print(page, program) }
            group.addTask {
                try await Task.sleep(for: duration)
                return nil
            }
            // The one that is left is cancelled, and with it the program.
            defer { group.cancelAll() }
            guard let bytes = try await group.next().flatMap(\.self) else {
                throw JournalError(
                    .conflict,
                    "printing took longer than \(duration): print it as HTML, and from a browser"
                )
            }
            return bytes
        }
    }

    private static func print(_ page: String, _ program: String) async throws -> [UInt8] {
        do {
            let result = try await run(
                .name(program),
                arguments: ["--encoding", "utf8", "-", "-"],
                environment: .custom(environment),
                input: .inputWriter,
                output: .bytes(limit: maximumBytes),
                error: .discarded
            ) { execution in
                // A program that ends before it has read all of it is told by its status. Written here, and closed whatever
                // comes of it: swift-subprocess 1.0.2 ends the whole process where its own writing is cut off.
                _ = try? await execution.standardInputWriter.write(page)
                try? await execution.standardInputWriter.finish()
            }
            guard result.terminationStatus.isSuccess, result.standardOutput.starts(with: "%PDF".utf8) else {
                throw JournalError(.failed, "WeasyPrint could not print the page: print it as HTML, and from a browser")
            }
            return result.standardOutput
        } catch let error as SubprocessError {
            if error.code == .executableNotFound { throw JournalError.noPrinter }
            if error.code == .outputLimitExceeded {
                throw JournalError(.conflict, "the document is larger than \(maximumBytes >> 20) MiB: print it as HTML")
            }
            throw JournalError(.failed, "WeasyPrint could not be started: print it as HTML, and from a browser")
        }
    }

    /// No settings of whoever runs the service, and nothing that keeps anything.
    private static var environment: [Environment.Key: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": path, "LANG": "C.UTF-8", "HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"]
    }
}

extension JournalError {
    fileprivate static let noPrinter = JournalError(
        .notInstalled,
        "a PDF needs WeasyPrint where the journal runs, and it is not there: apt-get install weasyprint; HTML needs nothing"
    )
}
