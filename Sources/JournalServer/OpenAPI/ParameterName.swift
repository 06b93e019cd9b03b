import HealthJournal
import HealthModel
import Interchange

/// A parameter; its raw value is its name among the components.
enum ParameterName: String, CaseIterable {
    case record, entry, start, account, token, identity, invitation, notice, eventType
    case newEntry, asOf, happenedBy, cursor, limit, retracted, reason, year, currency, exportAs, position, from
    case after, stream, types, lastEventID, shownEntry
    case dryRun, epoch, zone, importCurrency
    case idempotencyKey, ifMatch, ifNoneMatch, purpose

    static let page: [ParameterName] = [.cursor, .limit]

    var reference: JSONValue { ["$ref": .string("#/components/parameters/\(rawValue)")] }

    /// The location of the parameter in a request.
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
        case .shownEntry: "entry"
        case .importCurrency: "currency"
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
        case .record: "The complete id of a record."
        case .entry: "The complete id of an entry."
        case .start: "The id of an entry, or the first 8 or more characters of it if they are unique."
        case .shownEntry: "The id of an entry of the record: only reads that showed it, or may have shown it."
        case .newEntry: "The id of the new entry; by default one is generated."
        case .account: "The complete id of an account."
        case .token: "The id of a token."
        case .identity: "The id of an identity that is linked to the account."
        case .invitation: "The id of an invitation."
        case .notice: "The position of the event that caused the notice."
        case .eventType: "A type of event, such as `org.healthjournal.weight.logged`."
        case .after: "The position after which to begin."
        case .stream:
            "A stream of other tools' events by its name; or, to read, a record, an entry or an account by its id."
        case .types: "Only events of these types, separated by commas."
        case .lastEventID: "The position of the last event received, to continue after it."
        case .asOf:
            "What the journal knew at that point: a position in the log, a time (RFC 3339), or the end of a day."
        case .happenedBy: "Only what had happened by the end of this day; entries without a date are included."
        case .cursor: "`nextCursor` of the previous page."
        case .limit: "The maximum number of items on a page."
        case .retracted: "Whether to show retracted entries too."
        case .reason: "The reason; stored permanently with the change."
        case .year: "Only costs of this year."
        case .currency: "Only costs in this currency."
        case .exportAs: "The format of the copy."
        case .position: "The position of the event to prove."
        case .from: "The earlier size of the log."
        case .dryRun: "Whether only to report what would be imported."
        case .epoch: "The epoch of times in a Purus document: unix (1970) or reference (2001)."
        case .zone: "The IANA time zone of birth dates in a Purus document; by default the journal's."
        case .importCurrency: "The ISO 4217 currency of costs without one in a Purus document; it is marked as guessed."
        case .idempotencyKey:
            """
            The same request sent again with the same key is processed once, and gets the same response. A request \
            that changed nothing is not remembered.
            """
        case .ifMatch: "Apply the change only if the resource still has this `ETag`."
        case .ifNoneMatch: "Return 304 if the resource still has one of these `ETag`s."
        case .purpose: "Why the data is read; stored in the audit trail."
        }
    }

    private var schema: JSONValue {
        switch self {
        case .record, .entry, .newEntry, .shownEntry, .account, .token, .identity, .invitation: JSONSchema.identifier
        case .start: ["type": "string", "pattern": "^[0-9A-Fa-f-]{8,36}$"]
        case .asOf: ["type": "string", "pattern": .string("^(?:[0-9]{1,18}|\(Self.moment))$")]
        case .happenedBy: ["type": "string", "format": "date", "pattern": .string("^\(Self.day)$")]
        case .cursor: ["type": "string", "pattern": "^[0-9]{1,18}$"]
        case .limit:
            [
                "type": "integer", "minimum": 1, "maximum": .integer(Paging.maximum),
                "default": .integer(Paging.usual),
            ]
        case .retracted, .dryRun: ["type": "boolean", "default": false]
        case .epoch: ["enum": ["unix", "reference"], "default": "unix"]
        case .zone: ["type": "string", "minLength": 1]
        case .reason: JSONSchema.plainText(maximum: Query.maximumLength)
        case .year: ["type": "integer", "minimum": 0, "maximum": 9999]
        case .currency, .importCurrency: ["type": "string", "pattern": "^[A-Za-z]{3}$"]
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
        case .purpose: ["type": "string", "maxLength": .integer(Limits.purpose)]
        }
    }

    private static let typeNames = EventType.allCases.map { $0.name.replacing(".", with: "\\.") }.joined(separator: "|")
    private static let day = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    private static let moment =
        day + "(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?"
        + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))?"
}
