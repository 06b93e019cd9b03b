package import FoundationEssentials
package import HealthModel

/// The planned doses of a record in a period, and the other doses that were taken in it.
package struct PlannedDosesDocument: DefinedDocument, Hashable {
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
    /// The vaccinations that are due, in an answer about a day.
    package var vaccinations: [DueVaccinationDocument]

    package init(
        record: UUID,
        from: Day,
        to: Day,
        now: Instant,
        zone: String? = nil,
        doses: [PlannedDoseDocument],
        others: [OtherDoseDocument],
        allowances: [AllowanceDocument],
        alarmed: [AlarmedPlanDocument] = [],
        vaccinations: [DueVaccinationDocument] = []
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
        self.vaccinations = vaccinations
    }

    package static let definition = DocumentDefinition(
        PlannedDosesDocument.init,
        DocumentMember("record", \.record),
        DocumentMember("from", \.from, schema: ["type": "string", "format": "date"]),
        DocumentMember("to", \.to, schema: ["type": "string", "format": "date"]),
        DocumentMember("now", \.now),
        DocumentMember("zone", \.zone, "The time zone in which the person is then, by its IANA name."),
        DocumentMember("doses", \.doses),
        DocumentMember("others", \.others),
        DocumentMember("allowances", \.allowances),
        .some("alarmed", \.alarmed),
        .some("vaccinations", \.vaccinations)
    )
}
