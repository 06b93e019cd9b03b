import Platform

/// Counts requests and their durations by route and status.
final class RequestMeter: Sendable {
    /// The route template, never an address: an address would contain an id.
    struct Label: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    struct Times {
        var count = 0
        var seconds = 0.0
        /// Requests by duration: each is counted in the first bucket whose bound it does not exceed.
        var buckets = [Int](repeating: 0, count: RequestMeter.bounds.count + 1)
    }

    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private struct State {
        var inFlight = 0
        var times: [Label: Times] = [:]
    }

    private let state = Guarded(State())

    func begin() { state.withLock { $0.inFlight += 1 } }

    func end(_ label: Label, in duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.inFlight -= 1
            state.times[label, default: Times()].count(seconds)
        }
    }

    var inFlight: Int { state.withLock { $0.inFlight } }

    var times: [Label: Times] { state.withLock { $0.times } }
}

extension RequestMeter.Times {
    fileprivate mutating func count(_ seconds: Double) {
        count += 1
        self.seconds += seconds
        buckets[RequestMeter.bounds.firstIndex { seconds <= $0 } ?? RequestMeter.bounds.count] += 1
    }
}
