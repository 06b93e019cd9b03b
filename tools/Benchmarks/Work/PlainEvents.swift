import EventLog
import FoundationEssentials

/// Events of 300 stored bytes, by default in 10,000 streams: the same workload as for the peers.
///
/// Most of the 300 bytes are the header, with ids such as those of the stream, the subject and the actor; the rest is
/// the sealed payload.
struct PlainEvents: Sendable {
    private static let storedLength = 300
    private static let streamsPerSubject = 10

    private let streams: [UUID]
    private let subjects: [UUID]
    private let actor: UUID
    private var random: Random

    /// Creates a source whose streams are the same for every seed; the seed determines which of them each event belongs
    /// to.
    init(streams count: Int, seed: UInt64) {
        var ids = Random(seed: 1)
        streams = (0..<count).map { _ in ids.id() }
        subjects = (0..<(count / PlainEvents.streamsPerSubject + 1)).map { _ in ids.id() }
        actor = ids.id()
        random = Random(seed: seed &+ 2)
    }

    mutating func next() -> NewEvent { event(of: random.below(streams.count)) }

    mutating func next(_ count: Int) -> [NewEvent] { (0..<count).map { _ in next() } }

    /// Returns one event of each subject, so that all subjects have their keys before the measurement.
    mutating func ofEachSubject() -> [NewEvent] {
        stride(from: 0, to: streams.count, by: PlainEvents.streamsPerSubject).map { event(of: $0) }
    }

    private mutating func event(of stream: Int) -> NewEvent {
        let header = EventHeader(
            stream: streams[stream],
            id: random.id(),
            subject: subjects[stream / PlainEvents.streamsPerSubject],
            type: 7,
            schemaVersion: 1,
            category: 2,
            actor: actor,
            correlation: actor,
            source: 1
        )
        let payload = [UInt8](
            repeating: UInt8(truncatingIfNeeded: random.next()),
            count: PlainEvents.storedLength - FrameLayout.overhead
        )
        return NewEvent(header: header, payload: payload)
    }
}
