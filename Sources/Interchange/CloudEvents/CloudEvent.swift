package import HealthModel

/// An external event in the CloudEvents 1.0 format, with its original bytes.
package struct CloudEvent: Hashable, Sendable {
    /// The largest size of one event, and so of one line of NDJSON.
    package static let maximumBytes = 1 << 20
    /// The largest number of events in one batch.
    package static let maximumBatch = 1_000

    package var id: String
    /// A URI reference; together with ``id`` it identifies the event permanently.
    package var source: String
    package var type: String
    package var specversion: String
    package var subject: String?
    package var time: Instant?
    package var datacontenttype: String?
    package var dataschema: String?
    /// Attributes that the specification does not define, in their order.
    package var extensions: [JSONValue.Member]
    package var data: Payload?
    /// The event as received, in the JSON structured form.
    package var original: [UInt8]

    package enum Payload: Hashable, Sendable {
        case json(JSONValue)
        case binary([UInt8])
    }
}
