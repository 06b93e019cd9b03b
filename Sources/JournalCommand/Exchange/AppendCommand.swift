import ArgumentParser
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Appends events of other tools.
struct AppendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Append CloudEvents from standard input, one a line; each is answered as it becomes durable.",
        discussion: """
            Example:  scale-reader | healthjournal append --stream scale --as scale-tool

            One line out for each line in, in order: {"id","position"} or {"line","error"}. An event of the same source
            and id is appended once, however often it comes: after a crash, send all of them again.

            One of type org.healthjournal.weight.logged (likewise for every kind of entry) adds an entry to the record
            whose id is its subject; the line out has the "entry" too. All others are kept as they came.
            """
    )

    /// Lines that are under way at once.
    private static let batchLength = 2_048

    @OptionGroup var options: CommonOptions

    @Option(name: .long, help: "The stream to append to (else each event's source).")
    var stream: String?

    func run() async throws {
        try await Session.run(options, source: .door) { session in
            var lines = LineReader(.standardInput, maximumLength: CloudEvent.maximumBytes)
            var hasFailed = false
            while let batch = lines.next(atMost: AppendCommand.batchLength) {
                let answers = try await append(batch, session)
                hasFailed = hasFailed || answers.contains(where: \.isError)
                session.output.data(answers.map { JSONWriter.text($0.json) + "\n" }.joined())
            }
            if hasFailed { throw ExitCode(1) }
        }
    }

    private func append(_ batch: [LineReader.Line], _ session: Session) async throws -> [AnsweredLine] {
        var answers: [AnsweredLine?] = []
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
        return zip(batch, answers)
            .map { line, answer in
                if let answer { return answer }
                guard let result = results.popFirst() else {
                    return .refused(line: line.number, JournalError(.failed, "the line was not answered"))
                }
                switch result {
                case .taken(let json): return .taken(json)
                case .refused(let error): return .refused(line: line.number, error)
                }
            }
    }

    /// Appends; what finds the queue full waits for its turn.
    private func durable(_ events: [CloudEvent], _ session: Session) async throws -> [EventAnswer] {
        var results = try await session.journal.append(events, stream: stream)
        while true {
            let busy = results.indices.filter { results[$0].isBusy }
            if busy.isEmpty { return results }
            try await Task.sleep(for: .milliseconds(5))
            let again = try await session.journal.append(busy.map { events[$0] }, stream: stream)
            for (index, result) in zip(busy, again) { results[index] = result }
        }
    }
}

/// The line that answers a line.
private enum AnsweredLine {
    case taken(JSONValue)
    case refused(line: Int, JournalError)

    var isError: Bool {
        if case .refused = self { true } else { false }
    }

    var json: JSONValue {
        switch self {
        case .taken(let json): json
        case .refused(let line, let error):
            .object([.init("line", .integer(line)), .init("error", .string(error.description))])
        }
    }
}
