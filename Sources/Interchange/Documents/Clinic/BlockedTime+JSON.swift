internal import FoundationEssentials
package import HealthModel

extension BlockedTime: APIDocument {
    private static let said: JSONValue = ["from": JSONSchema.sentTime, "until": JSONSchema.sentTime]

    package static let requestSchema = JSONSchema.object(said)
    package static let schema = JSONSchema.object(.object([.init("id", JSONSchema.identifier)] + said.members))

    package var json: JSONValue {
        ["id": .string(id.text), "from": .time(span.start), "until": .time(span.end)]
    }

    /// The body of the request that blocks the time.
    package var request: JSONValue { ["from": .time(span.start), "until": .time(span.end)] }

    package init(_ object: NativeObject) throws(ModelError) {
        self.init(id: try object.id("id"), span: try Self.span(object))
    }

    package static func span(request object: NativeObject) throws(ModelError) -> TimeSpan {
        try object.requireMembers(of: requestSchema)
        return try span(object)
    }

    private static func span(_ object: NativeObject) throws(ModelError) -> TimeSpan {
        guard let span = TimeSpan(try object.instant("from"), try object.instant("until")) else {
            throw ModelError(.invalid, field: object.path.appending("until").field, "must be after the start")
        }
        return span
    }
}
