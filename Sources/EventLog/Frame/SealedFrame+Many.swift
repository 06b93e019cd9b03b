internal import Cipher
internal import Platform

extension SealedFrame {
    /// The minimum number of events per thread: fewer are sealed before another thread wakes up.
    private static let worthAThread = 64

    /// Seals each event under the key with the same index, on all processors if there are many events.
    static func seal(_ events: [NewEvent], under keys: [Sealing.NewKey]) throws(EventLogError) -> [SealedFrame] {
        let parts = min(Threads.processorCount, events.count / worthAThread)
        guard parts > 1 else { return try seal(events[...], under: keys[...]) }
        let length = (events.count + parts - 1) / parts
        let starts = Array(stride(from: 0, to: events.count, by: length))
        let sealed = Threads.map(starts, chunk: 1) { start in
            let range = start..<min(start + length, events.count)
            return Result { () throws(EventLogError) in try seal(events[range], under: keys[range]) }
        }
        var frames: [SealedFrame] = []
        frames.reserveCapacity(events.count)
        for part in sealed { frames += try part.get() }
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
