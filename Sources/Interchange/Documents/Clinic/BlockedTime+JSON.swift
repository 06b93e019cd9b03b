package import HealthModel

extension BlockedTime: DefinedDocument {
    private static let members = DocumentDefinition(
        { (span: TimeSpan) -> TimeSpan in span },
        DocumentMember<TimeSpan, TimeSpan>.span({ (span: TimeSpan) -> TimeSpan in span }, schema: JSONSchema.sentTime)
    )

    package static let definition = DocumentDefinition(
        BlockedTime.init,
        DocumentMember("id", \.id),
        .members(of: members, \.span)
    )

    package static var requestSchema: JSONValue { members.schema }

    /// The body of the request that blocks the time.
    package var request: JSONValue { BlockedTime.members.write(span) }

    package static func span(request object: NativeObject) throws(ModelError) -> TimeSpan {
        try object.requireMembers(of: requestSchema)
        return try members.read(object)
    }
}
