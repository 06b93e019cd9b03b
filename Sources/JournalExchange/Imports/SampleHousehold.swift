internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCore

/// A fictional household: two people, their dog, and three years of entries.
///
/// Its ids are derived from the journal's id, so that adding it twice adds nothing.
struct SampleHousehold {
    let documents: [ImportedRecord]
    let ada: UUID
    let theo: UUID
    let dog: UUID

    init(journal: UUID) throws(ModelError) {
        ada = UUID(nameBased: journal, "sample/ada")
        theo = UUID(nameBased: journal, "sample/theo")
        dog = UUID(nameBased: journal, "sample/biscuit")
        var person = Builder(id: ada, .human)
        try SampleHousehold.fillAda(&person)
        var other = Builder(id: theo, .human)
        try SampleHousehold.fillTheo(&other)
        var animal = Builder(id: dog, .animal)
        try SampleHousehold.fillDog(&animal)
        documents = [person.document, other.document, animal.document]
    }

    private static func fillAda(_ record: inout Builder) throws(ModelError) {
        try record.profile([
            "givenName": "Ada", "familyName": "Winter", "birthdate": "1951-03-14", "sex": "female",
            "healthInsurance": "Sample Mutual", "address": "Lindenweg 4, 3000 Bern",
        ])
        try record.add(
            "drug",
            "2023-09-04",
            ["name": "Lisinopril", "dosage": "10 mg", "information": "in the morning"]
        )
        try record.add("drug", "2024-02-19", ["name": "Metformin", "dosage": "500 mg", "information": "twice a day"])
        try record.add("allergy", nil, ["name": "Penicillin", "information": "rash, swelling"])
        try record.add("illness", "2023-09-04", ["name": "Hypertension", "information": "mild"])
        try record.add(
            "vaccination",
            "2024-10-08",
            ["name": "Influenza", "information": "annual", "place": "Pharmacy"]
        )
        try record.add(
            "vaccination",
            "2025-10-14",
            ["name": "Influenza", "information": "annual", "place": "Pharmacy"]
        )
        try record.add("blood", "2024-02-19", ["name": "HbA1c", "value": "6.8", "unit": "%"])
        try record.add("blood", "2025-02-24", ["name": "HbA1c", "value": "6.4", "unit": "%"])
        try record.add(
            "doctor",
            nil,
            ["name": "Dr. Ines Okafor", "specialty": "General practice", "phone": "+41 31 555 01 10"]
        )
        try record.add(
            "emergencyContact",
            nil,
            ["name": "Theo Winter", "phone": "+41 79 555 02 20", "relationship": "son"]
        )
        try record.add(
            "cost",
            "2024-12-31",
            ["year": "2024", "amount": "1840.50", "currency": "CHF", "basis": "total"]
        )
        for month in 0..<36 {
            let grams = 71_400 - month * 90 + [0, 300, -200, 100][month % 4]
            try record.weight(month, "\(grams / 1000).\(grams % 1000 / 100)", "kg")
        }
    }

    private static func fillTheo(_ record: inout Builder) throws(ModelError) {
        try record.profile(["givenName": "Theo", "familyName": "Winter", "birthdate": "1984-11-02", "sex": "male"])
        try record.add("history", "2008-06-12", ["name": "Appendectomy", "contact": "Inselspital"])
        try record.add("risk", nil, ["name": "Family history", "information": "diabetes"])
        try record.add("doctor", nil, ["name": "Dr. Luis Moreau", "specialty": "Dentist", "phone": "+41 31 555 03 30"])
        for month in stride(from: 0, to: 36, by: 3) {
            let tenths = 1_812 + [0, 14, -9, 21][month / 3 % 4]
            try record.weight(month, "\(tenths / 10).\(tenths % 10)", "lb")
        }
    }

    private static func fillDog(_ record: inout Builder) throws(ModelError) {
        try record.profile([
            "name": "Biscuit", "species": "dog", "breed": "Border Terrier", "color": "grizzle",
            "birthdate": "2023-05-20", "sex": "male", "animalID": "756098100000042", "owner.name": "Theo Winter",
            "owner.phone": "+41 79 555 02 20", "vet.clinicName": "Kleintierpraxis Aare",
            "vet.contactName": "Dr. Noor Haddad",
            "vet.phone": "+41 31 555 04 40",
        ])
        try record.add(
            "vaccination",
            "2023-09-18",
            ["name": "Rabies", "information": "first", "place": "Kleintierpraxis Aare"]
        )
        try record.add(
            "vaccination",
            "2024-09-16",
            ["name": "Rabies", "information": "booster", "place": "Kleintierpraxis Aare"]
        )
        try record.add("allergy", nil, ["name": "Chicken protein", "information": "itching"])
        for month in 0..<36 {
            let grams = min(8_400, 3_900 + month * 260) + [0, 60, -40][month % 3]
            try record.weight(month, "\(grams / 1000).\(grams % 1000 / 10)", "kg")
        }
        let costs = [("Food", "38.90"), ("Vet", "112.00"), ("Food", "41.20"), ("Insurance", "29.50")]
        for month in 0..<36 {
            let (category, amount) = costs[month % costs.count]
            let date = Builder.day(month, of: 12)
            try record.add(
                "cost",
                date,
                [
                    "year": String(date.prefix(4)), "amount": amount, "currency": "CHF", "category": category,
                    "basis": "item",
                ]
            )
        }
    }
}

/// A builder of a record as an imported document contains it.
private struct Builder {
    private(set) var document: ImportedRecord

    init(id: UUID, _ subject: Subject) {
        document = ImportedRecord(
            id: id,
            profile: RecordProfile(subject: subject),
            entries: [],
            shape: .native,
            unrepresented: []
        )
    }

    mutating func profile(_ values: [String: String]) throws(ModelError) {
        for (name, value) in values { try document.profile.set(name, text: value) }
    }

    mutating func add(_ kind: String, _ date: String?, _ values: [String: String]) throws(ModelError) {
        guard let kind = Kind.named(kind) else { throw ModelError(.invalid, field: "kind", "there is no such kind") }
        var content = EntryContent(kind: kind)
        if let date { try content.set("date", text: date) }
        for (name, value) in values { try content.set(name, text: value) }
        let number = document.entries.count
        document.entries.append(
            ImportedEntry(
                id: UUID(nameBased: document.id, "sample/\(number)"),
                content: content,
                path: "\(kind.name)[\(number)]"
            )
        )
    }

    mutating func weight(_ month: Int, _ value: String, _ unit: String) throws(ModelError) {
        try add("weight", Builder.day(month, of: 3) + "T06:30:00Z", ["value": value, "unit": unit])
    }

    /// Returns the date with the given day in the month that is `month` months after September 2023.
    static func day(_ month: Int, of day: Int) -> String {
        let months = 8 + month
        let (year, number) = (2023 + months / 12, months % 12 + 1)
        return "\(year)-\(number < 10 ? "0" : "")\(number)-\(day < 10 ? "0" : "")\(day)"
    }
}
