internal import Cipher
internal import Dispatch
internal import Platform

extension SealedFrame {
    /// The minimum number of events per thread: fewer are sealed before another thread wakes up.
    private static let worthAThread = 64

    /// Seals each event under the key with the same index, on all processors if there are many events.
    static func seal(_ events: [NewEvent], under keys: [Sealing.NewKey]) throws(EventLogError) -> [SealedFrame] {
        let parts = min(Threads.processorCount, events.count / worthAThread)
        guard parts > 1 else { return try seal(events[...], under: keys[...]) }
        let length = (events.count + parts - 1) / parts
        let sealed = Guarded([Result<[SealedFrame], EventLogError>](repeating: .success([]), count: parts))
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = min(part * length, events.count)..<min((part + 1) * length, events.count)
            let result: Result<[SealedFrame], EventLogError>
            do throws(EventLogError) {
                result = .success(try seal(events[range], under: keys[range]))
            } catch {
                result = .failure(error)
            }
            sealed.withLock { $0[part] = result }
        }
        var frames: [SealedFrame] = []
        frames.reserveCapacity(events.count)
        for part in sealed.withLock({ $0 }) { frames += try part.get() }
        return frames
    }

    private static func seal(
        _ events: ArraySlice<NewEvent>,
        under keys: ArraySlice<Sealing.NewKey>
    ) throws(EventLogError) -> [SealedFrame] {
        var frames: [SealedFrame] = []
        frames.reserveCapacity(events.count)
        guard events.count > 1 else {
            for (event, key) in zip(events, keys) {
                frames.append(try SealedFrame(event.header, payload: event.payload, key: key))
            }
            return frames
        }
        try Cipher.sealingMany { () throws(EventLogError) in
            for (event, key) in zip(events, keys) {
                frames.append(try SealedFrame(event.header, payload: event.payload, key: key))
            }
        }
        return frames
    }
}
