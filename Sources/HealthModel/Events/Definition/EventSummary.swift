package import FoundationEssentials

/// A description of what an event is about, such as `"token \(id) of \(.account)"`.
///
/// Ids and the event's subject are placeholders, which the reader replaces by the names that it knows.
package struct EventSummary: ExpressibleByStringInterpolation, Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case text(String)
        /// The name of an account or a record, or the first characters of the id.
        case id(UUID)
        case subject(Subject)
    }

    /// A form of the event's subject.
    package enum Subject: Hashable, Sendable {
        /// The name of the record.
        case record
        /// The whole id of the record.
        case recordID
        /// The name of the account.
        case account
    }

    package let parts: [Part]

    package init(stringLiteral value: String) { parts = [.text(value)] }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        package mutating func appendInterpolation(_ id: UUID) { parts.append(.id(id)) }
        package mutating func appendInterpolation(_ subject: Subject) { parts.append(.subject(subject)) }
    }
}
