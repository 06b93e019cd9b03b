import ArgumentParser
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Appends events from other tools.
struct AppendCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Append CloudEvents from standard input, one per line.",
        discussion: """
            Example:  scale-reader | healthjournal append --stream scale --as scale-tool

            Prints one line for each input line, in order, when its event is durable: {"id","position"} or \
            {"line","error"}. An event with the same source and id is appended only once, however often it is sent:
            after a crash, send all events again.

            An event of type org.healthjournal.weight.logged (likewise for every kind of entry) adds an entry to the \
            record whose id is its subject; the printed line then also has "entry". A mistyped type of these is \
            refused. All other events are stored unchanged.
            """
    )

    /// The maximum number of lines that are processed at a time.
    private static let batchLength = 2_048

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The stream to append to (default: each event's source).")
    var stream: String?

    var eventSource: EventSource { .ingest }

    func run(in session: Session) async throws {
        var lines = LineReader(.standardInput, maximumLength: CloudEvent.maximumBytes)
        var hasFailed = false
        while let batch = lines.next(atMost: AppendCommand.batchLength) {
            let answers = try await append(batch, session)
            hasFailed = hasFailed || answers.contains(where: \.isError)
            do throws(StandardOutput.Failure) {
                try session.output.stream(Array(answers.map { JSONWriter.text($0.json) + "\n" }.joined().utf8))
            } catch {
                // The rest of the input is not appended, because no one would learn what became of it.
                guard error == .readerGone else { throw error }
                throw ExitCode.failure
            }
        }
        if hasFailed { throw ExitCode(1) }
    }

    private func append(_ batch: [LineReader.Line], _ session: Session) async throws -> [LineResult] {
        var answers: [LineResult?] = []
        var events: [CloudEvent] = []
        for line in batch {
            do throws(ModelError) {
                if line.isTooLong { throw ModelError(.invalid, "is longer than \(CloudEvent.maximumBytes) bytes") }
                events.append(try CloudEvent.read(line.bytes))
                answers.append(nil)
            } catch {
                answers.append(.refused(line: line.number, JournalError(error)))
            }
        }
        var results = try await durable(events, session)[...]
        var pending = events[...]
        return zip(batch, answers)
            .map { line, answer in
                if let answer { return answer }
                guard let event = pending.popFirst(), let result = results.popFirst() else {
                    return .refused(line: line.number, JournalError(.failed, "the line was not answered"))
                }
                return LineResult(event, line: line.number, result)
            }
    }

    /// Appends the events, and retries those that were refused because the append queue was full.
    private func durable(
        _ events: [CloudEvent],
        _ session: Session
    ) async throws -> [Result<IngestResult, JournalError>] {
        var results = try await session.perform(.append(events, stream: stream))
        while true {
            let busy = results.indices.filter { results[$0].isBusy }
            if busy.isEmpty { return results }
            try await Task.sleep(for: .milliseconds(5))
            let again = try await session.perform(.append(busy.map { events[$0] }, stream: stream))
            for (index, result) in zip(busy, again) { results[index] = result }
        }
    }
}

extension Result<IngestResult, JournalError> {
    fileprivate var isBusy: Bool {
        if case .failure(let error) = self { error.code == .busy } else { false }
    }
}
