import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of one appointment, and its changes.
extension ClinicPages {
    @Sendable func show(_ visit: PageVisit) async throws -> Response {
        let opened = visit.query["change"].flatMap(AppointmentVerb.init(offered:))
        return try await page(visit, opened: opened)
    }

    /// What a refused change has to show again.
    private struct Refused {
        let step: AppointmentVerb
        let typed: PageForm
        let error: JournalError
    }

    private func page(
        _ visit: PageVisit,
        opened: AppointmentVerb? = nil,
        refused: Refused? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let caller = try visit.caller
        let id = try visit.appointment()
        let (answer, versions) = try await journal.appointments.appointmentWithVersions(id, caller)
        let state = answer.state
        let visitor = try await visitor(state.details.practice, withSpecialists: true, visit)
        let view = visitor.view
        let reader = visitor.reader(journal.now)
        var problems: [String: String] = [:]
        var problem: String?
        if let refused {
            problem = view.reader.message(for: refused.error, &problems)
            let names = Set(fields(of: refused.step, state, visitor, nil, [:]).map(\.name))
            // A field that the form does not have is no place for a message.
            if let name = problems.keys.first, !names.contains(name) {
                (problem, problems) = (problems[name], [:])
            }
        }
        let steps = AppointmentVerb.offered.filter { reader.may($0, state) }
            .map { step in
                let isRefused = refused?.step == step
                return StepForm(
                    step.rawValue,
                    label: view.words["stepHint.\(step.rawValue)"],
                    fields: fields(
                        of: step,
                        state,
                        visitor,
                        isRefused ? refused?.typed : nil,
                        isRefused ? problems : [:]
                    ),
                    isGrave: step.isGrave,
                    isOpen: isRefused || opened == step,
                    view.words
                )
            }
        let actors = versions.map(\.stamp.actor) + state.notes.map(\.added.actor)
        let page = AppointmentPage(
            answer.document,
            versions: versions.map { (view.words.label($0.type.label), $0.document) },
            steps: steps,
            next: reader.next(answer, today: visitor.today, day: view.clock.day(at: state.details.start))?.rawValue,
            mayMove: reader.may(.move, state),
            mayTriage: reader.mayTriage(state),
            isMember: visitor.isMember,
            problem: problem,
            alternatives: refused?.error.taken?.alternatives ?? [],
            key: pages.key(refused?.typed),
            pages.names(actors),
            view
        )
        let title = view.words["appointment"]
        return visit.response(page, title, status: status, notice: notice)
    }

    /// The fields of a change, with the typed values.
    private func fields(
        of step: AppointmentVerb,
        _ state: AppointmentState,
        _ visitor: Visitor,
        _ typed: PageForm?,
        _ problems: [String: String]
    ) -> [FormField] {
        let (words, details) = (visitor.view.words, state.details)
        func field(_ name: String, _ label: String, _ input: FormField.Input, _ value: String = "") -> FormField {
            FormField(name, label, input, value: typed?[name] ?? value, problem: problems[name])
        }
        func choice(_ name: String, _ label: String, _ options: [(String, String)], _ value: String) -> FormField {
            var field = field(name, label, .choice, value)
            field.options = options.map { FormOption($0.0, $0.1, isChosen: $0.0 == field.value) }
            return field
        }
        var fields: [FormField] = []
        switch step {
        case .confirm where visitor.isMember:
            let ways = [ConfirmationWay.phone, .message, .page]
                .map {
                    ($0.rawValue, words["confirmationWay.\($0.rawValue)"])
                }
            fields.append(choice("way", words["confirmedBy"], ways, ConfirmationWay.phone.rawValue))
        case .cancel:
            let codes = CancelCode.allCases.filter { visitor.isMember || $0.isOfClients }
                .map { ($0.rawValue, words["cancelCode.\($0.rawValue)"]) }
            fields.append(choice("code", words["cancelCode"], [("", words["notSaid"])] + codes, ""))
            if visitor.isMember {
                let parties = [AppointmentParty.practice, .client]
                    .map { ($0.rawValue, words["appointmentParty.\($0.rawValue)"]) }
                fields.append(choice("by", words["cancelledBy"], parties, AppointmentParty.practice.rawValue))
            }
        case .arrive, .begin, .complete:
            // The patient of an appointment on a later day is hardly there.
            if visitor.view.clock.day(at: details.start) > visitor.today {
                fields.append(field("ahead", words["doAhead"], .flag))
            }
        case .note:
            var text = field("text", words["remark"], .paragraphs)
            text.isRequired = true
            fields.append(text)
        case .edit:
            fields.append(field("about", words["visitReason"], .line, details.reason))
            fields.append(field("instructions", words["instructions"], .paragraphs, details.instructions))
            // The notes are not shown to others, who would delete them without seeing them.
            if AppointmentField.notes.permits(.change, to: visitor.roles) {
                fields.append(field("notes", words["staffNotes"], .paragraphs, details.notes))
            }
        case .reassign:
            let day = visitor.view.clock.day(at: details.start)
            let specialists = visitor.view.specialists.filter { $0.works(in: visitor.view.practice.id, on: day) }
                .map { ($0.id.text, $0.profile.name) }
            fields.append(choice("specialist", words["withWhom"], specialists, details.specialist?.text ?? ""))
            let places = visitor.view.practice.places.filter { $0.value.ended == nil }
                .map { ($0.key.text, $0.value.profile.name) }.sorted { $0.1.lowercased() < $1.1.lowercased() }
            if !places.isEmpty {
                let none = details.places.isEmpty ? [("", words["noRoom"])] : []
                fields.append(choice("room", words["room"], none + places, details.places.first?.text ?? ""))
            }
        default: break
        }
        var reason = visitor.view.reader.reason(typed, problems)
        reason.isRequired = state.status == .completed && (step == .note || step == .edit)
        return fields + [reason]
    }

    /// Makes a change; a refused one is shown with the typed values.
    @Sendable func change(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        guard let step = AppointmentVerb(offered: typed["change"]) else {
            throw JournalError(.invalid, field: "change", "must be a change of the appointment's page")
        }
        let id = try visit.appointment()
        do {
            let caller = try visit.writer(typed, reason: typed["reason"])
            let asked = try change(step, typed)
            _ = try await journal.appointments.changeAppointment(id, expecting: UInt64(typed["version"]), caller) { _ in
                asked
            }
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.code == .slotTaken else { throw error }
            let status: HTTPResponse.Status = error.code == .invalid ? .badRequest : .conflict
            return try await page(
                visit,
                refused: Refused(step: step, typed: typed, error: error),
                status: status
            )
        }
        // From the page of a day, the reader returns to it.
        if let practice = UUID(uuidString: typed["practice"]), let day = try? Day(parsing: typed["day"]) {
            return Pages.redirect(
                to: "/practices/\(practice.text)/day?day=\(day)&done=\(step.notice)#visit-\(id.text)"
            )
        }
        return Pages.redirect(to: "/appointments/\(id.text)?done=\(step.notice)")
    }

    private func change(_ step: AppointmentVerb, _ typed: PageForm) throws -> AppointmentChange {
        switch step {
        case .book: return .book
        case .confirm: return .confirm(ConfirmationWay(rawValue: typed["way"]) ?? .page)
        case .arrive, .begin, .complete:
            let change: AppointmentChange = step == .arrive ? .arrive : step == .begin ? .begin : .complete
            return typed["ahead"].isEmpty ? change : .ahead(change)
        case .missed: return .miss
        case .cancel:
            return .cancel(
                code: CancelCode(rawValue: typed["code"])?.rawValue ?? "",
                by: AppointmentParty(rawValue: typed["by"])
            )
        case .reinstate: return .reinstate
        case .note: return .addNote(typed["text"].withUnixLines)
        case .edit:
            return .edit(
                reason: typed.values["about"],
                notes: typed.values["notes"]?.withUnixLines,
                instructions: typed.values["instructions"]?.withUnixLines
            )
        case .reassign:
            return .reassign(
                specialist: try self.id(typed["specialist"], "specialist"),
                places: try self.id(typed["room"], "room").map { [$0] }
            )
        case .retract: return .retract
        case .move, .displace:
            throw JournalError(.invalid, field: "change", "must be a change of the appointment's page")
        }
    }
}

/// Why an appointment is cancelled, as it is stored.
private enum CancelCode: String, CaseIterable {
    case notNeeded = "not-needed"
    case prevented
    case elsewhere
    case specialistAbsent = "specialist-absent"
    case double
    case other

    /// Whether clients may choose it too.
    var isOfClients: Bool { self != .specialistAbsent && self != .double }
}
