internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange

extension Journal {
    /// Appends an event of another tool as the bytes that came. The same source and id again have the first answer again.
    ///
    /// `stream` is by default the event's source. Answers its position and whether it had come before.
    package func append(
        _ event: CloudEvent,
        stream name: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> (position: UInt64, isRepeated: Bool) {
        do {
            if caller.kind == .auditor { throw JournalError(.refused, "an auditor never changes anything") }
            if caller.kind == .person { try requireAdministrator(caller) }
            let name = name ?? event.source
            let stream = try external(name)
            let key = UUID(nameBased: log.description.id, "\(event.source)\n\(event.id)")
            var change = Change(self, caller)
            try change.add(
                .receiving(
                    streamName: name,
                    contentType: "application/cloudevents+json",
                    data: event.original
                ),
                id: key,
                stream: stream,
                subject: stream
            )
            guard let result = try await change.commit() else { throw JournalError(.failed, "nothing was appended") }
            return (result.last, result.isRepeated)
        } catch {
            throw JournalError(error)
        }
    }
}
