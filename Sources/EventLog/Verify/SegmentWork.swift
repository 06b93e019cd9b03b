internal import Dispatch
internal import LMDB

/// The threads that check segments, and the one that joins what they find: the caller's.
final class SegmentWork: Sendable {
    private let reader: Guarded<SegmentReader>
    private let check: SegmentCheck
    private let workers: Int
    private let state = Guarded(State())
    private let isFound = DispatchSemaphore(value: 0)
    /// Segments that may be under way: who is ahead waits, so that a slow one does not make the others pile up.
    private let room: DispatchSemaphore

    private struct State {
        var found: [SegmentFindings] = []
        /// Workers that have nothing left to do.
        var ended = 0
    }

    init(_ reader: Guarded<SegmentReader>, _ check: SegmentCheck, workers: Int) {
        self.reader = reader
        self.check = check
        self.workers = workers
        room = DispatchSemaphore(value: SegmentWork.segmentsEach * workers)
    }

    private static let segmentsEach = 4

    /// Hands over what is found, in the order in which it is ready, until there is no more.
    func run(_ join: (SegmentFindings) -> Void) {
        if workers == 1 {
            while let segment = reader.withLock({ $0.next() }) { join(check.run(segment)) }
            return
        }
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "healthjournal.verify", attributes: .concurrent)
        for _ in 0..<workers {
            queue.async(group: group) { self.work() }
        }
        while true {
            isFound.wait()
            let (ready, ended) = state.withLock { state in
                defer { state.found = [] }
                return (state.found, state.ended)
            }
            for findings in ready { join(findings) }
            // Whoever has ended had handed over all before.
            if ended == workers { break }
        }
        group.wait()
    }

    /// Told when a segment has been joined.
    func makeRoom() {
        room.signal()
    }

    private func work() {
        while true {
            room.wait()
            guard let segment = reader.withLock({ $0.next() }) else {
                room.signal()
                state.withLock { $0.ended += 1 }
                isFound.signal()
                return
            }
            let findings = check.run(segment)
            state.withLock { $0.found.append(findings) }
            isFound.signal()
        }
    }
}
