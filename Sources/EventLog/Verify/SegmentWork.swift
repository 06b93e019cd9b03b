internal import Dispatch
internal import Platform

/// The threads that check segments; the caller's thread joins their findings.
final class SegmentWork: Sendable {
    private let reader: Guarded<SegmentReader>
    private let check: SegmentCheck
    private let workers: Int
    private let state = Guarded(State())
    private let isFound = DispatchSemaphore(value: 0)
    /// Limits the segments that are read but not joined, so that findings do not accumulate behind a slow segment.
    private let room: DispatchSemaphore

    private struct State {
        var found: [SegmentFindings] = []
        /// The number of workers that have ended.
        var ended = 0
    }

    init(_ reader: Guarded<SegmentReader>, _ check: SegmentCheck, workers: Int) {
        self.reader = reader
        self.check = check
        self.workers = workers
        room = DispatchSemaphore(value: SegmentWork.segmentsEach * workers)
    }

    private static let segmentsEach = 4

    /// Checks all segments, and calls `join` with the findings of each in the order in which they are completed.
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
            // A worker adds all its findings before it ends.
            if ended == workers { break }
        }
        group.wait()
    }

    /// Lets the workers read another segment; the caller calls this after each segment that it has joined.
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
