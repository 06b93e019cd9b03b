import FoundationEssentials
import HealthModel

/// The last dose of a time of day that was taken or skipped.
struct MangoDose: Hashable {
    let at: Instant
    let status: LoggedDose.Status
    let reason: String?

    init?(_ content: EntryContent) {
        guard let at = content.instant,
            let status = content.body.text(Dose.status).flatMap(LoggedDose.Status.init)
        else { return nil }
        self.at = at
        self.status = status
        reason = content.body.text(Dose.reasonText) ?? content.body.text(Dose.reason)
    }

    /// The plan and the time of day to which a dose belongs; nil for a dose outside a plan.
    static func place(of content: EntryContent) -> (plan: UUID, time: UUID)? {
        guard let plan = content.body.id(Dose.of),
            let slot = content.body.text(Dose.slot).flatMap({ try? Slot(parsing: $0) }),
            case .time(_, _, let time) = slot
        else { return nil }
        return (plan, time)
    }
}

/// Writes the members of documents as the journal would write them on its own: in one order and with times in ISO 8601.
struct MangoRenderer {
    let user: String
    let dates: MangoDates

    /// The document of an entry, without the times at which it was created and changed.
    ///
    /// `doses` are the last doses of the times of day of a plan.
    func members(
        _ id: UUID,
        _ content: EntryContent,
        of collection: MangoCollection,
        doses: [UUID: MangoDose] = [:]
    ) -> [JSONValue.Member] {
        let own: [JSONValue.Member] =
            switch collection {
            case .doctors: doctor(content)
            case .diet: meal(content)
            case .conflicts: conflict(content)
            default: plan(content, of: collection, doses)
            }
        return [.init("id", .string(id.text)), .init("userId", .string(user))] + own
    }

    private func doctor(_ content: EntryContent) -> [JSONValue.Member] {
        let body = content.body
        let address = body.group(Doctor.address)
            .map { address -> JSONValue in
                .present([
                    "street": (address.text(Doctor.street) ?? address.text(Doctor.addressText)).json,
                    "city": address.text(Doctor.city).json, "state": address.text(Doctor.state).json,
                    "zipCode": address.text(Doctor.zipCode).json, "country": address.text(Doctor.country).json,
                ])
            }
        return
            JSONValue.present([
                "name": .string(body.text(Doctor.name) ?? ""), "specialty": .string(body.text(Doctor.specialty) ?? ""),
                "phoneNumber": body.text(Doctor.phone).json, "email": body.text(Doctor.email).json, "address": address,
                "notes": content.comment.json,
                "isImportedFromContacts": .bool(body.flag(Doctor.isImportedFromContacts) ?? false),
                "contactIdentifier": body.text(Doctor.contactIdentifier).json,
            ])
            .members
    }

    private func meal(_ content: EntryContent) -> [JSONValue.Member] {
        let body = content.body
        let foods = body.groups(Meal.foods)
            .map { food -> JSONValue in
                .present([
                    "id": food.id(Meal.Food.id).map { .string($0.text) },
                    "name": .string(food.text(Meal.Food.name) ?? ""), "quantity": food.text(Meal.Food.quantity).json,
                    "calories": food.integer(Meal.Food.calories).map { .integer($0) },
                    "notes": food.text(Meal.Food.notes).json,
                ])
            }
        return
            JSONValue.present([
                "mealType": body.text(Meal.mealType).json, "foods": .array(foods),
                "allergies": .array(body.texts(Meal.allergies).map { .string($0) }), "notes": content.comment.json,
                "scheduledTime": body.instant(Meal.scheduledTime).map { .time($0) },
                "actualTime": body.instant(Meal.actualTime).map { .time($0) }, "date": time(of: content),
                "voiceEntryUsed": .bool(content.voiceEntryUsed),
            ])
            .members
    }

    private func conflict(_ content: EntryContent) -> [JSONValue.Member] {
        let body = content.body
        let details = body.groups(Interaction.details)
            .map { detail -> JSONValue in
                .present([
                    "id": detail.id(Interaction.Detail.id).map { .string($0.text) },
                    "medication1": .string(detail.text(Interaction.Detail.medication1) ?? ""),
                    "medication2": detail.text(Interaction.Detail.medication2).json,
                    "interactionType": .string(detail.text(Interaction.Detail.interactionType) ?? ""),
                    "description": .string(detail.text(Interaction.Detail.description) ?? ""),
                    "severity": detail.text(Interaction.Detail.severity).json,
                ])
            }
        return
            JSONValue.present([
                "queryText": .string(body.text(Interaction.queryText) ?? ""),
                "medications": .array(body.texts(Interaction.medications).map { .string($0) }),
                "supplements": .array(body.texts(Interaction.supplements).map { .string($0) }),
                "conflictsFound": .bool(body.flag(Interaction.found) ?? false),
                "severity": body.text(Interaction.severity).json, "conflictDetails": .array(details),
                "recommendations": .array(body.texts(Interaction.recommendations).map { .string($0) }),
                "educationalInfo": body.text(Interaction.educationalInfo).json,
                "source": body.text(Interaction.source).json, "createdAt": time(of: content),
                "isResolved": .bool(body.flag(Interaction.resolved) ?? false),
                "userNotes": body.text(Interaction.userNotes).json,
            ])
            .members
    }

    /// The time of an entry; a day begins at midnight.
    func time(of content: EntryContent) -> JSONValue? {
        switch content.date {
        case .instant(let instant): .time(instant)
        case .date(let date): .time(dates.instant(WallMoment(day: date.firstDay)))
        case nil: nil
        }
    }
}

extension String? {
    /// The text as JSON; nil without text.
    var json: JSONValue? { flatMap { $0.isEmpty ? nil : .string($0) } }
}

extension String {
    /// The text as JSON; nil if it is empty.
    var json: JSONValue? { isEmpty ? nil : .string(self) }
}
