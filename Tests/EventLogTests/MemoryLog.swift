import Crypto
import Foundation

@testable import EventLog

/// A log in memory, which shows what a decider accepts without LMDB.
struct MemoryLog: LogState {
    struct Event {
        let header: EventHeader
        let payload: [UInt8]
        let stamp: FrameStamp
    }

    private(set) var events: [Event] = []
    private(set) var erased: Set<UUID> = []
    /// The events that an index would have: those of earlier commits.
    private var committed = 0

    func head(of stream: UUID) -> StreamHead {
        guard let newest = events.prefix(committed).last(where: { $0.header.stream == stream })?.stamp else {
            return .empty
        }
        return StreamHead(position: newest.position, version: newest.streamPosition, skip: newest.skip)
    }

    func position(ofKey id: UUID) -> UInt64? {
        events.prefix(committed).first { $0.header.id == id }?.stamp.position
    }

    func position(ofVersion version: UInt64, from newest: UInt64) throws(EventLogError) -> UInt64 {
        let stream = try event(at: newest).header.stream
        let found = events.prefix(Int(newest))
            .first { $0.header.stream == stream && $0.stamp.streamPosition == version }
        guard let found else { throw .damaged("there is no such version", at: newest) }
        return found.stamp.position
    }

    func event(at position: UInt64) throws(EventLogError) -> (header: EventHeader, recordedAt: Int64) {
        guard position > 0, position <= events.count else { throw .damaged("there is no event", at: position) }
        let event = events[Int(position) - 1]
        return (event.header, event.stamp.recordedAt)
    }

    func payload(at position: UInt64) -> [UInt8] { events[Int(position) - 1].payload }

    /// One append of a test.
    struct Append {
        var events: [NewEvent]
        var expectations: [Expectation] = []
        var erasing: UUID?

        init(_ events: [NewEvent], expecting expectations: [Expectation] = [], erasing: UUID? = nil) {
            (self.events, self.expectations, self.erasing) = (events, expectations, erasing)
        }

        fileprivate func request(_ key: SymmetricKey) throws -> AppendRequest {
            var keyed: [Int: [UInt8]] = [:]
            for (offset, event) in events.enumerated() where event.header.id.isNameBased {
                keyed[offset] = event.payload
            }
            return AppendRequest(
                frames: try events.map {
                    try SealedFrame($0.header, payload: $0.payload, key: Sealing.NewKey(key: key))
                },
                expectations: expectations,
                keyedPayloads: keyed,
                erasing: erasing.map { [$0] } ?? [],
                answer: { _ in }
            )
        }
    }

    private static let key = SymmetricKey(size: .bits256)

    /// Decides appends in order, as one commit, and adds the events of the accepted ones.
    mutating func commit(
        _ appends: [Append],
        at time: Int64 = 0
    ) throws -> [Result<AppendResult, EventLogError>] {
        var decider = Decider(head: UInt64(events.count), recordedAt: time, erased: erased)
        var results: [Result<AppendResult, EventLogError>] = []
        for append in appends {
            let request = try append.request(MemoryLog.key)
            switch try decider.decide(request, self) {
            case .refused(let error): results.append(.failure(error))
            case .repeated(let result): results.append(.success(result))
            case .accepted:
                for subject in request.erasing {
                    erased.insert(subject)
                    decider.noteErasure(of: subject)
                }
                let first = decider.head + 1
                for (frame, event) in zip(request.frames, append.events) {
                    let stamp = try decider.stamp(frame, self)
                    events.append(Event(header: event.header, payload: event.payload, stamp: stamp))
                }
                results.append(
                    .success(AppendResult(first: first, last: decider.head, recordedAt: time, isRepeated: false))
                )
            }
        }
        committed = events.count
        return results
    }
}
