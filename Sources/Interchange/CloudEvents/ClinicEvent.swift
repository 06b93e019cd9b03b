package import FoundationEssentials
package import HealthModel

/// A type of external event that the journal knows, and that does not become one entry of a kind.
package enum ClinicEvent: String, CaseIterable, Sendable {
    /// Vital signs were measured: they become one entry each.
    case vitalsLogged = "org.healthjournal.vitals.logged"
    /// A client asks for an appointment: the patient is put on the waiting list of the practice.
    case appointmentRequested = "org.healthjournal.appointment.requested"

    package var title: String {
        switch self {
        case .vitalsLogged: "Vital signs, logged"
        case .appointmentRequested: "Appointment, requested"
        }
    }

    package var summary: String {
        switch self {
        case .vitalsLogged: "A CloudEvent that becomes one entry for each vital sign."
        case .appointmentRequested:
            "A CloudEvent that puts a patient on the waiting list of a practice; a person then offers a time."
        }
    }

    /// The category that limits the scope of a token to such events, as in `append:vitals`.
    package var category: String {
        switch self {
        case .vitalsLogged: "vitals"
        case .appointmentRequested: "appointment"
        }
    }

    /// The schema of the event's data.
    package var dataSchema: JSONValue {
        switch self {
        case .vitalsLogged: SettingsDocument<LoggedVitals>.schema
        case .appointmentRequested:
            JSONSchema.object(["practice": JSONSchema.identifier, "wish": SettingsDocument<WaitProfile>.schema])
        }
    }

    /// A typical data.
    package var example: JSONValue {
        switch self {
        case .vitalsLogged: ["temperature": "38.6", "heartRate": 96]
        case .appointmentRequested:
            [
                "practice": "01890a5d-ac96-774b-bcce-b302099a8058",
                "wish": ["service": "01890a5d-ac96-774b-bcce-b302099a8059", "note": "limps since Monday"],
            ]
        }
    }
}

extension CloudEvent {
    package var clinicEvent: ClinicEvent? { ClinicEvent(rawValue: type) }

    /// Returns the entries that vital signs become, which were measured at the event's `time`, or else at `moment`.
    package func vitals(at moment: Instant, now: Instant) throws(ModelError) -> [EntryContent] {
        let object = try NativeObject(json(), at: DocumentPath("data"))
        try object.requireMembers(SettingsDocument<LoggedVitals>.names)
        let logged = try SettingsDocument<LoggedVitals>(object).settings
        do throws(ModelError) {
            try logged.validate(now: now)
        } catch {
            let field = error.field.flatMap { $0.isEmpty ? nil : "data.\($0)" } ?? "data"
            throw ModelError(error.code, field: field, error.text)
        }
        return logged.vitals.entries(at: time ?? moment)
    }

    /// Returns the practice at which an appointment is requested, and the wish.
    package func requestedAppointment() throws(ModelError) -> (practice: UUID, wish: WaitProfile) {
        let object = try NativeObject(json(), at: DocumentPath("data"))
        try object.requireMembers(["practice", "wish"])
        let wish = try object.object("wish")
        try wish.requireMembers(SettingsDocument<WaitProfile>.names)
        return (try object.id("practice"), try SettingsDocument<WaitProfile>(wish).settings)
    }
}
