import HealthJournal
import HealthModel
import Interchange

/// A parameter, known among the components by its raw value.
enum ParameterName: String, CaseIterable {
    case record, entry, start, account, token, identity, invitation, notice, eventType
    case newEntry, asOf, happenedBy, cursor, limit, retracted, reason, year, currency, exportAs, position, from
    case after, stream, types, lastEventID
    case idempotencyKey, ifMatch, ifNoneMatch, purpose

    static let page: [ParameterName] = [.cursor, .limit]

    var reference: JSONValue { ["$ref": .string("#/components/parameters/\(rawValue)")] }

    /// Where in a request it stands.
    var place: String {
        switch self {
        case .record, .entry, .start, .account, .token, .identity, .invitation, .notice, .eventType: "path"
        case .idempotencyKey, .ifMatch, .ifNoneMatch, .purpose, .lastEventID: "header"
        default: "query"
        }
    }

    var wireName: String {
        switch self {
        case .exportAs: "as"
        case .newEntry: "id"
        case .notice: "position"
        case .eventType, .types: "type"
        case .lastEventID: "Last-Event-ID"
        case .idempotencyKey: "Idempotency-Key"
        case .ifMatch: "If-Match"
        case .ifNoneMatch: "If-None-Match"
        case .purpose: "Purpose"
        default: rawValue
        }
    }

    private var isRequired: Bool { place == "path" || [.exportAs, .position, .from].contains(self) }

    var json: JSONValue {
        [
            "name": .string(wireName), "in": .string(place), "required": .bool(isRequired),
            "description": .string(description), "schema": schema,
        ]
    }

    private var description: String {
        switch self {
        case .record: "The id of a record, written in full."
        case .entry: "The id of an entry, written in full."
        case .start: "The id of an entry, or the first 8 or more characters of it where those are unique."
        case .newEntry: "The id that the new entry is to have; else one is made."
        case .account: "The id of an account, written in full."
        case .token: "The id of a token."
        case .identity: "The id of an identity that is linked to the account."
        case .invitation: "The id of an invitation."
        case .notice: "The position of the event that the notice is of."
        case .eventType: "A type of event, such as `org.healthjournal.weight.logged`."
        case .after: "The position behind which to begin."
        case .stream:
            "A stream of other tools' events by its name; or, to read, a record, an entry or an account by its id."
        case .types: "Only events of these types, with commas between."
        case .lastEventID: "The position of the last event that came, to go on behind it."
        case .asOf:
            "What the journal knew then: a position in the log, a time (RFC 3339), or a day, of which the end counts."
        case .happenedBy: "Only what had happened by the end of this day; what has no date is left in."
        case .cursor: "`nextCursor` of the page before."
        case .limit: "How many there may be on a page."
        case .retracted: "Whether to show retracted entries too."
        case .reason: "Why; kept for ever with the change."
        case .year: "Only costs of this year."
        case .currency: "Only costs in this currency."
        case .exportAs: "The format of the copy."
        case .position: "The position of the event that is to be proved."
        case .from: "The size of the log that was seen before."
        case .idempotencyKey:
            """
            The same request sent again with the same key is done once, and answered alike. A request that had nothing to \
            change is not remembered.
            """
        case .ifMatch: "Do it only if nothing changed since the state of this `ETag`."
        case .ifNoneMatch: "Answer 304 if the state is still that of one of these `ETag`s."
        case .purpose: "Why the data is looked at; kept in the list of accesses."
        }
    }

    private var schema: JSONValue {
        switch self {
        case .record, .entry, .newEntry, .account, .token, .identity, .invitation: JSONSchema.identifier
        case .start: ["type": "string", "pattern": "^[0-9A-Fa-f-]{8,36}$"]
        case .asOf: ["type": "string", "pattern": .string("^(?:[0-9]{1,18}|\(Self.moment))$")]
        case .happenedBy: ["type": "string", "format": "date", "pattern": .string("^\(Self.day)$")]
        case .cursor: ["type": "string", "pattern": "^[0-9]{1,18}$"]
        case .limit:
            [
                "type": "integer", "minimum": 1, "maximum": .integer(Paging.maximum),
                "default": .integer(Paging.usual),
            ]
        case .retracted: ["type": "boolean", "default": false]
        case .reason: JSONSchema.plainText(maximum: Query.maximumLength)
        case .year: ["type": "integer", "minimum": 0, "maximum": 9999]
        case .currency: ["type": "string", "pattern": "^[A-Za-z]{3}$"]
        case .exportAs: ["type": "string", "enum": .array(ExportFormat.allCases.map { .string($0.rawValue) })]
        case .eventType: ["type": "string", "minLength": 1]
        case .stream: JSONSchema.streamName
        case .types: ["type": "string", "pattern": .string("^(?:\(Self.typeNames))(?:,(?:\(Self.typeNames)))*$")]
        case .after: ["type": "integer", "minimum": 0, "maximum": .integer(Int64.max)]
        case .lastEventID: ["type": "string", "pattern": "^[0-9]{1,18}$"]
        case .position, .from, .notice: ["type": "integer", "minimum": 1, "maximum": .integer(Int64.max)]
        case .idempotencyKey: ["type": "string", "pattern": "^[!-~]{1,200}$"]
        case .ifMatch: ["type": "string", "pattern": #"^(?:\*|"[0-9]{1,20}")$"#]
        case .ifNoneMatch: ["type": "string"]
        case .purpose: ["type": "string", "maxLength": .integer(Query.maximumLength)]
        }
    }

    private static let typeNames = EventType.allCases.map { $0.name.replacing(".", with: "\\.") }.joined(separator: "|")
    private static let day = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    private static let moment =
        day + "(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?"
        + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))?"
}
