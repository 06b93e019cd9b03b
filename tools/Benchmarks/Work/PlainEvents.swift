import EventLog
import FoundationEssentials

/// Events of 300 bytes as they are stored, of 10,000 streams: the work that the peers are given too.
///
/// Most of the 300 bytes are the header, which says of whom, by whom and why; what is left is sealed.
struct PlainEvents: Sendable {
    private static let storedLength = 300
    private static let streamsPerSubject = 10

    private let streams: [UUID]
    private let subjects: [UUID]
    private let actor: UUID
    private var random: Random

    /// The streams are the same for every writer; which of them an event is of differs by seed.
    init(streams count: Int, seed: UInt64) {
        var ids = Random(seed: 1)
        streams = (0..<count).map { _ in ids.id() }
        subjects = (0..<(count / PlainEvents.streamsPerSubject + 1)).map { _ in ids.id() }
        actor = ids.id()
        random = Random(seed: seed &+ 2)
    }

    mutating func next() -> NewEvent { event(of: random.below(streams.count)) }

    mutating func next(_ count: Int) -> [NewEvent] { (0..<count).map { _ in next() } }

    /// One event of each subject, so that all have their keys before anything is measured.
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
