import FoundationEssentials
import HealthModel

/// Reads the documents of a user that have no plan: doctors, meals and conflicts.
struct MangoEntryReader {
    private let object: MangoObject
    private(set) var content: EntryContent
    /// Paths of values that are kept without interpretation.
    private(set) var unrepresented: [String] = []

    /// `ids` are the entries of the medication and the supplements of the user, by the ids in the document.
    init(_ object: MangoObject, of collection: MangoCollection, ids: [String: UUID]) throws(ModelError) {
        self.object = object
        content = EntryContent(kind: collection.kind)
        switch collection {
        case .doctors: try readDoctor()
        case .diet: try readMeal()
        default: try readConflict(ids)
        }
    }

    private mutating func readDoctor() throws(ModelError) {
        try set(Doctor.name, "name")
        try set(Doctor.specialty, "specialty")
        try set(Doctor.phone, "phoneNumber", maximum: Limits.phone)
        try set(Doctor.email, "email", maximum: Limits.email)
        if let value = object["address"] {
            let parts = try MangoObject(value, at: object.place("address"))
            var address = FieldValues()
            let fields = [
                Doctor.street: "street", Doctor.city: "city", Doctor.state: "state", Doctor.zipCode: "zipCode",
                Doctor.country: "country",
            ]
            for (field, name) in fields {
                address[field] = try parts.text(name, maximum: Limits.line).map { .text($0) }
            }
            content.body[Doctor.address] = .group(address)
        }
        content.comment = try object.text("notes") ?? ""
        if try object.flag("isImportedFromContacts") == true {
            content.body[Doctor.isImportedFromContacts] = .flag(true)
        }
        try set(Doctor.contactIdentifier, "contactIdentifier")
        if content.body[Doctor.name] == nil { content.inferred.append(Doctor.name.name) }
    }

    private mutating func readMeal() throws(ModelError) {
        try setChoice(Meal.mealType, "mealType")
        let (scheduled, actual) = (try object.instant("scheduledTime"), try object.instant("actualTime"))
        content.body[Meal.scheduledTime] = scheduled.map { .instant($0) }
        content.body[Meal.actualTime] = actual.map { .instant($0) }
        let day = try object.instant("date")
        content.date = (actual ?? scheduled ?? day).map { .instant($0) }
        var foods: [FieldValue] = []
        for food in try object.objects("foods") {
            guard let name = try food.text("name", maximum: Limits.line), foods.count < 100 else {
                unrepresented.append(food.path.text)
                continue
            }
            var values = FieldValues()
            values[Meal.Food.id] = try food.text("id").flatMap(UUID.init(uuidString:)).map { .id($0) }
            values[Meal.Food.name] = .text(name)
            values[Meal.Food.quantity] = try food.text("quantity", maximum: Limits.line).map { .text($0) }
            values[Meal.Food.notes] = try food.text("notes").map { .text($0) }
            if case .number(let text)? = food["calories"] {
                if let calories = try? FieldCodec.integer(text, at: food.place("calories")),
                    (0...100_000).contains(calories)
                {
                    values[Meal.Food.calories] = .integer(calories)
                } else {
                    unrepresented.append(food.place("calories").text)
                }
            }
            foods.append(.group(values))
        }
        content.body[Meal.foods] = .list(foods)
        content.body[Meal.allergies] = try list("allergies", maximum: 100)
        content.comment = try object.text("notes") ?? ""
        content.voiceEntryUsed = try object.flag("voiceEntryUsed") ?? false
    }

    private mutating func readConflict(_ ids: [String: UUID]) throws(ModelError) {
        content.date = try object.instant(MangoNames.created).map { .instant($0) }
        try set(Interaction.queryText, "queryText")
        content.body[Interaction.medications] = try list("medications", maximum: 100)
        content.body[Interaction.supplements] = try list("supplements", maximum: 100)
        let named = try object.texts("medications") + object.texts("supplements")
        var entries: [UUID] = []
        for id in named.compactMap({ ids[$0] }) where !entries.contains(id) { entries.append(id) }
        content.body[Interaction.entries] = .list(entries.prefix(100).map { .id($0) })
        content.body[Interaction.found] = try object.flag("conflictsFound").map { .flag($0) }
        try setChoice(Interaction.severity, "severity")
        var details: [FieldValue] = []
        for detail in try object.objects("conflictDetails") {
            guard let first = try detail.text("medication1", maximum: Limits.line), details.count < 100 else {
                unrepresented.append(detail.path.text)
                continue
            }
            var values = FieldValues()
            values[Interaction.Detail.id] = try detail.text("id").flatMap(UUID.init(uuidString:)).map { .id($0) }
            values[Interaction.Detail.medication1] = .text(first)
            let second = try detail.text("medication2", maximum: Limits.line)
            values[Interaction.Detail.medication2] = second.map { .text($0) }
            let type = try detail.text("interactionType", maximum: Limits.line)
            values[Interaction.Detail.interactionType] = type.map { .text($0) }
            values[Interaction.Detail.description] = try detail.text("description").map { .text($0) }
            if let severity = try detail.text("severity") {
                if Interaction.severities.contains(severity) {
                    values[Interaction.Detail.severity] = .text(severity)
                } else {
                    unrepresented.append(detail.place("severity").text)
                }
            }
            details.append(.group(values))
        }
        content.body[Interaction.details] = .list(details)
        content.body[Interaction.recommendations] = try list("recommendations", maximum: 20, of: Limits.paragraphs)
        content.body[Interaction.educationalInfo] = try object.text("educationalInfo").map { .text($0) }
        try setChoice(Interaction.source, "source")
        content.body[Interaction.userNotes] = try object.text("userNotes").map { .text($0) }
        if let isResolved = try object.flag("isResolved") {
            content.body[Interaction.resolved] = .flag(isResolved)
            if isResolved {
                // The source says that it is settled, and not how.
                content.body[Interaction.resolution] = .text("accepted")
                content.inferred.append(Interaction.resolution.name)
            }
        }
    }

    private mutating func set(_ field: Field, _ name: String, maximum: Int = Limits.line) throws(ModelError) {
        content.body[field] = try object.text(name, maximum: maximum).map { .text($0) }
    }

    /// Sets a choice; a word that the journal does not have is kept without interpretation.
    private mutating func setChoice(_ field: Field, _ name: String) throws(ModelError) {
        let word = try object.text(name)
        if let word, case .choice(let words) = field.type, words.contains(word) {
            content.body[field] = .text(word)
            return
        }
        if word != nil { unrepresented.append(object.place(name).text) }
        if field.isRequired { content.inferred.append(field.name) }
    }

    /// The texts of a list that are not empty, up to a number.
    private mutating func list(
        _ name: String,
        maximum: Int,
        of length: Int = Limits.line
    ) throws(ModelError) -> FieldValue? {
        var texts: [FieldValue] = []
        for (index, text) in try object.texts(name).enumerated() {
            guard !text.isEmpty, text.utf8.count <= length, texts.count < maximum else {
                unrepresented.append(object.place(name).appending(index).text)
                continue
            }
            texts.append(.text(text))
        }
        return .list(texts)
    }
}
