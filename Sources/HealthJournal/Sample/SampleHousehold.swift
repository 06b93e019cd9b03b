internal import FoundationEssentials
internal import HealthModel
internal import Interchange

/// A fictional household: two people, their dog, three years of entries, and the plans of the last two weeks.
///
/// The ids of its records and entries are derived from the journal's id, so that adding it twice adds nothing. Its dates
/// are relative to the day on which it is added; the log states when that was.
struct SampleHousehold {
    /// The records in the order in which they are listed.
    let documents: [ImportedRecord]
    let ada: UUID
    let theo: UUID
    let dog: UUID
    /// Ada's latest weight, which was misread.
    let misread: UUID
    /// The medication of Ada whose dosage was copied from the old package.
    let copied: UUID
    /// The medication of Ada that a caregiver gives in the evening.
    let evening: UUID

    init(journal: UUID, _ clock: SampleClock) throws(ModelError) {
        ada = SampleHousehold.record("ada", of: journal)
        theo = SampleHousehold.record("theo", of: journal)
        dog = SampleHousehold.record("biscuit", of: journal)
        var person = SampleRecord(id: ada, .human, clock)
        misread = try SampleHousehold.fillHealth(ofAda: &person)
        (copied, evening) = try SampleHousehold.fillPlans(ofAda: &person)
        var other = SampleRecord(id: theo, .human, clock)
        try SampleHousehold.fillTheo(&other)
        var animal = SampleRecord(id: dog, .animal, clock)
        try SampleHousehold.fillDog(&animal)
        documents = [person.document, other.document, animal.document]
    }

    /// Returns the id of a record of the sample in a journal.
    static func record(_ name: String, of journal: UUID) -> UUID { UUID(nameBased: journal, "sample/\(name)") }

    /// Returns a number of thousandths with so many decimal places, such as `68.3`.
    static func decimal(thousandths: Int, places: Int) -> String {
        let digits = String(1_000 + thousandths % 1_000).dropFirst().prefix(places)
        return "\(thousandths / 1_000).\(digits)"
    }
}
