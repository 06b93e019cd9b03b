package import FoundationEssentials

/// The condition on a stream's version under which an append is accepted.
package enum ExpectedVersion: Hashable, Sendable {
    case any
    /// The stream has no event yet.
    case empty
    /// The stream has at least one event.
    case exists
    /// The stream has exactly this number of events.
    case exact(UInt64)

    func admits(_ version: UInt64) -> Bool {
        switch self {
        case .any: true
        case .empty: version == 0
        case .exists: version > 0
        case .exact(let expected): version == expected
        }
    }
}

/// The expected version of one stream, as a condition of an append.
package struct Expectation: Hashable, Sendable {
    package var stream: UUID
    package var version: ExpectedVersion

    package init(_ stream: UUID, _ version: ExpectedVersion) {
        self.stream = stream
        self.version = version
    }
}
