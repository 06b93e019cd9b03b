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

    @Sendable func newPatient(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["next"])
        let caller = try context.requireCaller()
        let visit = try await visit(context.practice(), request, context)
        // Those who are no members may create no patient. The read of none records the refusal.
        if !visit.isMember { _ = try await journal.patients(of: visit.view.practice.id, caller) }
        let form = newPatientForm(visit, next: query["next"].flatMap(Next.init(rawValue:)) ?? .book)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable func createPatient(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let practice = try context.practice()
        let next = Next(rawValue: typed["next"]) ?? .book
        let words = pages.words(request, context)
        var problems: [String: String] = [:]
        var message: String?
        var patient = NewPatient(RecordProfile(subject: .animal))
        var client = ClientProfile(values: FieldValues())
        take(typed, Self.profileFields, into: &patient.profile.values, &problems, words)
        take(typed, Self.registrationFields, into: &patient.registration.values, &problems, words)
        take(typed, Self.clientFields, into: &client.values, &problems, words)
        if client.values != FieldValues() { patient.client = client }
        let visit = try await visit(practice, request, context)
        if patient.profile.values[RecordProfile.name] == nil, problems.isEmpty {
            problems[RecordProfile.name.name] = visit.view.words["animalNameNeeded"]
        }
        if problems.isEmpty {
            do {
                let result = try await journal.createPatient(patient, at: practice, context.writer(typed, request))
                let record = result.record?.text ?? ""
                return Pages.redirect(to: "\(visit.view.address)/\(next.rawValue)?record=\(record)")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = visit.view.reader.message(for: error, &problems)
            }
        }
        let form = newPatientForm(visit, next: next, typed, problems, message)
        return pages.response(form, form.heading, request, context, status: .badRequest)
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
        _ visit: Visit,
        next: Next,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) -> FormPage {
        let words = visit.view.words
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
            heading: words["newPatientHeading", visit.view.practice.profile.name],
            lead: words["newPatientLead"],
            problem: message ?? visit.view.reader.summary(problems),
            action: "\(visit.view.address)/new-patient",
            cancel: "\(visit.view.address)/\(next == .book ? "patients" : "board")",
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
