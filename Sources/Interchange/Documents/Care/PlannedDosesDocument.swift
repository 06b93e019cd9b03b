package import FoundationEssentials
package import HealthModel

/// The planned doses of a record in a period, and the other doses that were taken in it.
package struct PlannedDosesDocument: APIDocument, Hashable {
    package var record: UUID
    /// The first day, and the day after the last one, by the person's clock.
    package var from: Day
    package var to: Day
    /// The time at which the states hold.
    package var now: Instant
    /// The time zone in which the person is then; nil from an older service.
    package var zone: String?
    /// In the order in which they are due.
    package var doses: [PlannedDoseDocument]
    package var others: [OtherDoseDocument]
    package var allowances: [AllowanceDocument]
    /// The plans that take part in an open finding that is serious, whatever their own limits allow.
    package var alarmed: [AlarmedPlanDocument]

    package init(
        record: UUID,
        from: Day,
        to: Day,
        now: Instant,
        zone: String? = nil,
        doses: [PlannedDoseDocument],
        others: [OtherDoseDocument],
        allowances: [AllowanceDocument],
        alarmed: [AlarmedPlanDocument] = []
    ) {
        self.record = record
        self.from = from
        self.to = to
        self.now = now
        self.zone = zone
        self.doses = doses
        self.others = others
        self.allowances = allowances
        self.alarmed = alarmed
    }
}

extension PlannedDosesDocument {
    package static let schema = JSONSchema.object(
        [
            "record": JSONSchema.identifier, "from": ["type": "string", "format": "date"],
            "to": ["type": "string", "format": "date"], "now": JSONSchema.time,
            "doses": JSONSchema.array(of: PlannedDoseDocument.schema),
            "others": JSONSchema.array(of: OtherDoseDocument.schema),
            "allowances": JSONSchema.array(of: AllowanceDocument.schema),
        ],
        optional: [
            "zone": ["type": "string", "description": "The time zone in which the person is then, by its IANA name."],
            // The plans with an open finding of high or critical severity, if the caller may see findings.
            "alarmed": JSONSchema.array(of: AlarmedPlanDocument.schema),
        ]
    )

    package var json: JSONValue {
        .present([
            "record": .string(record.text), "from": .string(from.description), "to": .string(to.description),
            "now": .time(now), "zone": zone.map { .string($0) }, "doses": .array(doses.map(\.json)),
            "others": .array(others.map(\.json)),
            "allowances": .array(allowances.map(\.json)),
            "alarmed": alarmed.isEmpty ? nil : .array(alarmed.map(\.json)),
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        record = try object.id("record")
        from = try Day(parsing: object.required("from"))
        to = try Day(parsing: object.required("to"))
        now = try object.instant("now")
        zone = try object.text("zone")
        doses = try object.documents("doses")
        others = try object.documents("others")
        allowances = try object.documents("allowances")
        alarmed = object.has("alarmed") ? try object.documents("alarmed") : []
    }
}
