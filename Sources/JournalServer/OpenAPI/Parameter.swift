import HealthJournal
import HealthModel
import Interchange

/// A parameter of operations: where a request has it, and what clients learn about it.
struct Parameter: Sendable, Equatable {
    /// The location of the parameter in a request.
    enum Location: String {
        case path, query, header
    }

    let location: Location
    /// The name in a request.
    let name: String
    /// The name among the components of the description, where several parameters may have the same wire name.
    let component: String
    let isRequired: Bool
    /// The values of a whole number; nil for parameters that are not whole numbers.
    let range: ClosedRange<Int>?
    private let description: String
    private let schema: JSONValue

    init(
        _ location: Location,
        _ name: String,
        component: String? = nil,
        isRequired: Bool = false,
        _ description: String,
        schema: JSONValue,
        range: ClosedRange<Int>? = nil
    ) {
        (self.location, self.name, self.description, self.schema) = (location, name, description, schema)
        self.component = component ?? name
        self.isRequired = isRequired || location == .path
        self.range = range
    }

    /// A whole number; its range is described, and that of a query parameter is checked when a handler reads it.
    static func integer(
        _ location: Location,
        _ name: String,
        component: String? = nil,
        isRequired: Bool = false,
        in range: ClosedRange<Int>,
        default usual: Int? = nil,
        _ description: String
    ) -> Parameter {
        let schema: [JSONValue.Member] =
            [
                .init("type", "integer"), .init("minimum", .integer(range.lowerBound)),
                .init("maximum", .integer(range.upperBound)),
            ] + (usual.map { [.init("default", .integer($0))] } ?? [])
        return Parameter(
            location,
            name,
            component: component,
            isRequired: isRequired,
            description,
            schema: .object(schema),
            range: range
        )
    }

    /// True or false; false by default.
    static func flag(_ name: String, component: String? = nil, _ description: String) -> Parameter {
        Parameter(
            .query,
            name,
            component: component,
            description,
            schema: ["type": "boolean", "default": false]
        )
    }

    var reference: JSONValue { ["$ref": .string("#/components/parameters/\(component)")] }

    var json: JSONValue {
        [
            "name": .string(name), "in": .string(location.rawValue), "required": .bool(isRequired),
            "description": .string(description), "schema": schema,
        ]
    }
}

/// Parameters in the path, which an operation has because its path names them.
extension Parameter {
    /// Every parameter in a path, found by its name.
    static let inPaths: [Parameter] = [
        Parameter(
            .path,
            "record",
            "The complete id of a record.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "entry",
            "The complete id of an entry.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "start",
            "The id of an entry, or the first 8 or more characters of it if they are unique.",
            schema: ["type": "string", "pattern": "^[0-9A-Fa-f-]{8,36}$"]
        ),
        Parameter(
            .path,
            "account",
            "The complete id of an account.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "token",
            "The id of a token.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "identity",
            "The id of an identity that is linked to the account.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "invitation",
            "The id of an invitation.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "calendar",
            "The id of a calendar that has a secret address.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "feed",
            "The secret that was shown when the calendar was linked, followed by `.ics`.",
            schema: ["type": "string", "minLength": 1]
        ),
        Parameter(
            .path,
            "channel",
            "The id of a channel for reminders.",
            schema: JSONSchema.identifier
        ),
        .integer(
            .path,
            "position",
            component: "notice",
            in: 1...Int.max,
            "The position of the event that caused the notice."
        ),
        Parameter(
            .path,
            "device",
            "The id of a device of the account.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "practice",
            "The id of a practice.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "service",
            "The id of a service of the practice.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "room",
            "The id of a room or a device of the practice.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "specialist",
            "The id of a specialist of the practice.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "absence",
            "The id of an absence of the specialist.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "block",
            "The id of a blocked time of the room.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "appointment",
            "The id of an appointment.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "triage",
            "The id of a triage.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "client",
            "The id of a client of the practice.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "wait",
            "The id of an entry on the waiting list.",
            schema: JSONSchema.identifier
        ),
        Parameter(
            .path,
            "recall",
            "The id of a recall; the client chooses it when it sets one.",
            schema: JSONSchema.identifier
        ),
        .integer(
            .path,
            "divergence",
            in: 1...Int.max,
            "The position of the event that kept the other version."
        ),
        Parameter(
            .path,
            "type",
            component: "eventType",
            "A type of event, such as `org.healthjournal.weight.logged`.",
            schema: ["type": "string", "minLength": 1]
        ),
    ]
}

/// Headers.
extension Parameter {
    static let lastEventID = Parameter(
        .header,
        "Last-Event-ID",
        component: "lastEventID",
        "The position of the last event received, to continue after it.",
        schema: ["type": "string", "pattern": "^[0-9]{1,18}$"]
    )

    static let idempotencyKey = Parameter(
        .header,
        "Idempotency-Key",
        component: "idempotencyKey",
        """
        The same request sent again with the same key is processed once, and gets the same response. A request \
        that changed nothing is not remembered.
        """,
        schema: ["type": "string", "pattern": "^[!-~]{1,200}$"]
    )

    static let ifMatch = Parameter(
        .header,
        "If-Match",
        component: "ifMatch",
        "Apply the change only if the resource still has this `ETag`.",
        schema: ["type": "string", "pattern": #"^(?:\*|"[0-9]{1,20}")$"#]
    )

    static let ifNoneMatch = Parameter(
        .header,
        "If-None-Match",
        component: "ifNoneMatch",
        "Return 304 if the resource still has one of these `ETag`s.",
        schema: ["type": "string"]
    )

    static let purpose = Parameter(
        .header,
        "Purpose",
        component: "purpose",
        "Why the data is read; stored in the audit trail.",
        schema: ["type": "string", "maxLength": .integer(Limits.purpose)]
    )
}

/// Parameters in the query.
extension Parameter {
    static let page: [Parameter] = [.cursor, .limit]

    static let newEntry = Parameter(
        .query,
        "id",
        component: "newEntry",
        "The id of the new entry; by default one is generated.",
        schema: JSONSchema.identifier
    )

    static let asOf = Parameter(
        .query,
        "asOf",
        """
        What the journal knew at that point: a position in the log, a time (RFC 3339), or the end of a day or of a minute \
        (`2026-03-01T08:00`) in the journal's time zone.
        """,
        schema: ["type": "string", "pattern": .string("^(?:[0-9]{1,18}|\(moment))$")]
    )

    static let kinds = Parameter(
        .query,
        "kinds",
        "Only entries of these kinds, separated by commas; the profile is always included.",
        schema: ["type": "string", "pattern": .string("^(?:\(kindNames))(?:,(?:\(kindNames)))*$")]
    )

    private static let kindNames = Kind.all.map(\.name).joined(separator: "|")

    static let language = Parameter(
        .query,
        "language",
        component: "documentLanguage",
        "The language of HTML and PDF, a tag such as `de-CH`; by default that of the account or of `Accept-Language`.",
        schema: ["type": "string", "pattern": "^[a-z]{2}(?:-[A-Z]{2})?$"]
    )

    static let happenedFrom = Parameter(
        .query,
        "happenedFrom",
        "Only what happened from this day, month or year on; entries without a date are left out.",
        schema: ["type": "string", "pattern": .string("^(?:\(partialDate))$")]
    )

    static let happenedBy = Parameter(
        .query,
        "happenedBy",
        """
        Only what had happened by the end of this day, month or year. Entries without a date are included, unless \
        `happenedFrom` is given.
        """,
        schema: ["type": "string", "pattern": .string("^(?:\(partialDate))$")]
    )

    /// The days on which the selected entries had happened.
    static let period = [happenedFrom, happenedBy]

    static let cursor = Parameter(
        .query,
        "cursor",
        "`nextCursor` of the previous page.",
        schema: ["type": "string", "pattern": "^[0-9]{1,18}$"]
    )

    static let limit = Parameter.integer(
        .query,
        "limit",
        in: 1...Paging.maximum,
        default: Paging.usual,
        "The maximum number of items on a page."
    )

    static let retracted = Parameter.flag("retracted", "Whether to show retracted entries too.")

    static let reason = Parameter(
        .query,
        "reason",
        "The reason; stored permanently with the change.",
        schema: JSONSchema.plainText(maximum: Query.maximumLength)
    )
    static let requiredReason = Parameter(
        .query,
        "reason",
        component: "requiredReason",
        isRequired: true,
        "The reason; stored permanently with the change.",
        // Not blank.
        schema: JSONSchema.plainText(maximum: Query.maximumLength).merging(["allOf": [["pattern": "\\S"]]])
    )

    static let year = Parameter.integer(.query, "year", in: 0...9999, "Only costs of this year.")

    static let currency = Parameter(
        .query,
        "currency",
        "Only costs in this currency.",
        schema: ["type": "string", "pattern": "^[A-Za-z]{3}$"]
    )

    static let exportAs = Parameter(
        .query,
        "as",
        component: "exportAs",
        isRequired: true,
        "The format of the copy.",
        schema: ["type": "string", "enum": .array(ExportFormat.allCases.map { .string($0.rawValue) })]
    )

    static let position = Parameter.integer(
        .query,
        "position",
        isRequired: true,
        in: 1...Int.max,
        "The position of the event to prove."
    )

    static let from = Parameter.integer(
        .query,
        "from",
        isRequired: true,
        in: 1...Int.max,
        "The earlier size of the log."
    )

    static let after = Parameter.integer(.query, "after", in: 0...Int.max, "The position after which to begin.")

    static let stream = Parameter(
        .query,
        "stream",
        "A stream of other tools' events by its name; or, to read, a record, an entry or an account by its id.",
        schema: JSONSchema.streamName
    )

    static let types = Parameter(
        .query,
        "type",
        component: "types",
        "Only events of these types, separated by commas; `appointment.*` stands for all that begin so.",
        schema: ["type": "string", "pattern": .string("^(?:\(typeNames))(?:,(?:\(typeNames)))*$")]
    )

    static let shownEntry = Parameter(
        .query,
        "entry",
        component: "shownEntry",
        "The id of an entry of the record: only reads that showed it, or may have shown it.",
        schema: JSONSchema.identifier
    )

    static let similar = Parameter.flag(
        "similar",
        """
        Whether to create the record although the account has one of the same name whose date of birth, species and \
        number do not differ. Without it, such a request is refused as a conflict of the field `similar`.
        """
    )

    static let dryRun = Parameter.flag("dryRun", "Whether only to report what would be imported.")
    static let strict = Parameter.flag(
        "strict",
        "Whether a part of the document that cannot be read refuses all of it, instead of being listed among the `faults`."
    )

    static let epoch = Parameter(
        .query,
        "epoch",
        "The epoch of times in a Purus document: unix (1970) or reference (2001).",
        schema: ["enum": ["unix", "reference"], "default": "unix"]
    )

    static let zone = Parameter(
        .query,
        "zone",
        "The IANA time zone of birth dates in a Purus document; by default the journal's.",
        schema: ["type": "string", "minLength": 1]
    )

    static let importCurrency = Parameter(
        .query,
        "currency",
        component: "importCurrency",
        "The ISO 4217 currency of costs without one in a Purus document; it is marked as guessed.",
        schema: ["type": "string", "pattern": "^[A-Za-z]{3}$"]
    )

    static let firstDay = Parameter(
        .query,
        "from",
        component: "firstDay",
        "The first day, by the person's clock; today if it is missing.",
        schema: ["type": "string", "format": "date", "pattern": .string("^\(dayPattern)$")]
    )

    static let endDay = Parameter(
        .query,
        "to",
        component: "endDay",
        "The day after the last one; the day after `from` if it is missing. At most 400 days after `from`.",
        schema: ["type": "string", "format": "date", "pattern": .string("^\(dayPattern)$")]
    )

    static let day = Parameter(
        .query,
        "day",
        "The day, by the person's clock; today if it is missing.",
        schema: ["type": "string", "format": "date", "pattern": .string("^\(dayPattern)$")]
    )

    static let plan = Parameter(
        .query,
        "plan",
        "The id of a medication or a supplement: only its doses.",
        schema: JSONSchema.identifier
    )

    static let now = Parameter(
        .query,
        "now",
        "The time at which doses are open or missed; by default the current time or, with `asOf`, that point.",
        schema: ["type": "string", "format": "date-time", "pattern": .string("^\(time)$")]
    )

    static let grouping = Parameter(
        .query,
        "by",
        component: "grouping",
        "How the doses are grouped; by day if it is missing.",
        schema: ["enum": .array(AdherenceGrouping.allCases.map { .string($0.rawValue) }), "default": "day"]
    )

    /// A pattern of the names of event types, and of prefixes that select several types, such as `appointment.*`.
    private static let typeNames: String = {
        let names = EventType.allCases.map(\.name)
        let prefixes = Set(names.compactMap { $0.split(separator: ".").first }).sorted()
        return (names.map { $0.replacing(".", with: "\\.") } + prefixes.map { "\($0)\\.\\*" }).joined(separator: "|")
    }()
    private static let dayPattern = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    private static let clock =
        "[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?"
        + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
    private static let partialDate = "\(dayPattern)|[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?"
    private static let time = dayPattern + clock
    private static let minute = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    private static let moment = "\(dayPattern)(?:\(clock)|\(minute))?"
}
