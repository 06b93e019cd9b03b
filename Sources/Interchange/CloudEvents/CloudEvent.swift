package import HealthModel

/// An event of another tool, as CloudEvents 1.0 has it, and the bytes in which it came.
package struct CloudEvent: Hashable, Sendable {
    /// One event, and so one line of NDJSON.
    package static let maximumBytes = 1 << 20
    /// Events of one batch.
    package static let maximumBatch = 1_000

    package var id: String
    /// A URI reference; together with ``id`` it names the event for good.
    package var source: String
    package var type: String
    package var specversion: String
    package var subject: String?
    package var time: Instant?
    package var datacontenttype: String?
    package var dataschema: String?
    /// Attributes that the specification does not name, in their order.
    package var extensions: [JSONValue.Member]
    package var data: Payload?
    /// The event as it came, in the JSON structured form.
    package var original: [UInt8]

    package enum Payload: Hashable, Sendable {
        case json(JSONValue)
        case binary([UInt8])
    }
}
