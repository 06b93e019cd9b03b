internal import HealthModel
package import Interchange
package import JournalCore

/// The response line to one line of a stream of events.
package enum LineResult: Hashable, Sendable {
    case taken(id: String, IngestResult)
    case refused(line: Int, JournalError)

    package init(_ event: CloudEvent, line: Int, _ result: Result<IngestResult, JournalError>) {
        switch result {
        case .success(let answer): self = .taken(id: event.id, answer)
        case .failure(let error): self = .refused(line: line, error)
        }
    }

    package var isError: Bool {
        if case .refused = self { true } else { false }
    }

    /// Whether the log's queue was full; the same line may be accepted in a moment.
    package var isBusy: Bool {
        if case .refused(_, let error) = self { error.code == .busy } else { false }
    }

    package var json: JSONValue {
        switch self {
        case .taken(let id, let answer): .object([.init("id", .string(id))] + answer.members)
        case .refused(let line, let error):
            .object([.init("line", .integer(line)), .init("error", .string(error.description))])
        }
    }
}

extension IngestResult {
    package var members: [JSONValue.Member] {
        [.init("position", .integer(position))] + (entry.map { [.init("entry", .string($0.text))] } ?? [])
    }
}
