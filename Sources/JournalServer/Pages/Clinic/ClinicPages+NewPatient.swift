import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page that creates the record of an animal whose owner has none in the journal, and its client.
extension ClinicPages {
    /// The page that follows: the booking of an appointment, or the triage board.
    private enum Next: String {
        case book, arrive
    }

    private static let profileFields = [RecordProfile.name, RecordProfile.species]
    private static let clientFields = [ClientProfile.firstName, ClientProfile.lastName, ClientProfile.phone]
    private static let registrationFields = [RegistrationProfile.alerts]

    @Sendable func newPatient(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let visitor = try await visitor(visit.practice(), visit)
        // Those who are no members may create no patient. The read of none records the refusal.
        if !visitor.isMember { _ = try await journal.patients.list(of: visitor.view.practice.id, caller) }
        let form = newPatientForm(visitor, next: visit.query["next"].flatMap(Next.init(rawValue:)) ?? .book)
        return visit.response(form, form.heading)
    }

    @Sendable func createPatient(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let practice = try visit.practice()
        let next = Next(rawValue: typed["next"]) ?? .book
        let words = visit.words
        var problems: [String: String] = [:]
        var message: String?
        var patient = NewPatient(RecordProfile(subject: .animal))
        var client = ClientProfile(values: FieldValues())
        take(typed, Self.profileFields, into: &patient.profile.values, &problems, words)
        take(typed, Self.registrationFields, into: &patient.registration.values, &problems, words)
        take(typed, Self.clientFields, into: &client.values, &problems, words)
        if client.values != FieldValues() { patient.client = client }
        let visitor = try await visitor(practice, visit)
        if patient.profile.values[RecordProfile.name] == nil, problems.isEmpty {
            problems[RecordProfile.name.name] = visitor.view.words["animalNameNeeded"]
        }
        if problems.isEmpty {
            do {
                let result = try await journal.patients.createPatient(patient, at: practice, visit.writer(typed))
                let record = result.record?.text ?? ""
                return Pages.redirect(to: "\(visitor.view.address)/\(next.rawValue)?record=\(record)")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = visitor.view.reader.message(for: error, &problems)
            }
        }
        let form = newPatientForm(visitor, next: next, typed, problems, message)
        return visit.response(form, form.heading, status: .badRequest)
    }

    private func take(
        _ typed: PageForm,
        _ fields: [Field],
        into values: inout FieldValues,
        _ problems: inout [String: String],
        _ words: Words
    ) {
        for field in fields {
            let text = typed[field.name].trimming(\.isWhitespace)
            guard !text.isEmpty else { continue }
            do throws(ModelError) { values[field] = try FieldValue(parsing: String(text), as: field) } catch {
                problems[field.name] = words.sentence(error.text)
            }
        }
    }

    private func newPatientForm(
        _ visitor: Visitor,
        next: Next,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) -> FormPage {
        let words = visitor.view.words
        func field(_ field: Field, _ label: String, hint: String? = nil) -> FormField {
            var shown = FormField(
                field.name,
                words[label],
                .line,
                value: typed?[field.name] ?? "",
                problem: problems[field.name]
            )
            shown.hint = hint.map { words[$0] }
            shown.isRequired = field.name == RecordProfile.name.name
            if field.name == RecordProfile.species.name { shown.completions = SpeciesCode.allCases.map(\.rawValue) }
            return shown
        }
        var form = FormPage(
            heading: words["newPatientHeading", visitor.view.practice.profile.name],
            lead: words["newPatientLead"],
            problem: message ?? visitor.view.reader.summary(problems),
            action: "\(visitor.view.address)/new-patient",
            cancel: "\(visitor.view.address)/\(next == .book ? "patients" : "board")",
            submit: words["newPatientSubmit"],
            fields: [
                field(RecordProfile.name, "patientName", hint: "hint.newPatientName"),
                field(RecordProfile.species, "speciesLabel"), field(ClientProfile.firstName, "clientFirstName"),
                field(ClientProfile.lastName, "clientLastName"), field(ClientProfile.phone, "clientPhone"),
                field(RegistrationProfile.alerts, "alertsLabel", hint: "hint.alerts"),
            ],
            key: pages.key(typed)
        )
        form.hidden = [.init("next", next.rawValue)]
        return form
    }
}
