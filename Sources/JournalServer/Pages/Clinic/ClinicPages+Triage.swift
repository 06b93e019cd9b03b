import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// The page of one triage, and its changes.
extension ClinicPages {
    @Sendable func showTriage(_ visit: PageVisit) async throws -> Response {
        try await triagePage(visit)
    }

    /// What a refused change has to show again.
    private struct RefusedTriage {
        let step: TriageStep
        let typed: PageForm
        let error: JournalError
    }

    private func triagePage(
        _ visit: PageVisit,
        refused: RefusedTriage? = nil,
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let caller = try visit.caller
        // The last version is the current state, so that the record is read once.
        let versions = try await journal.triage.versions(ofTriage: visit.triage(), caller)
        guard var answer = versions.last?.answer else { throw JournalError(.notFound, "there is no such triage") }
        answer.shownAt = journal.now
        let state = answer.state
        let visitor = try await visitor(state.practice, withSpecialists: true, visit)
        let view = visitor.view
        let title = view.words["triage"]
        if answer.detail == .reasons {
            let page = TriageSummaryPage(answer.document, state.assessment?.assessment, view)
            return visit.response(page, title, status: status, notice: notice)
        }
        let (steps, problem) = steps(state, visitor, refused)
        let adopted = try await journal.triage.triageRules(of: state.practice, caller)
        var permissions = TriagePage.Permissions()
        permissions.redNow = TriageStep.redNow.isOffered(state, to: visitor.roles)
        permissions.assess = state.isWaiting && !visitor.roles.isDisjoint(with: TriageAction.assess.roles)
        permissions.hasRules = adopted.current != nil
        permissions.book =
            state.retracted == nil && state.leftWhy != .died
            && !visitor.roles.isDisjoint(with: ScheduleAction.arrange.roles)
        let seesVersions = answer.detail == .all
        let page = TriagePage(
            answer.document,
            versions: seesVersions ? versions.map { (visitor.view.words.label($0.type.label), $0.document) } : [],
            rules: adopted.labels,
            steps: steps,
            permissions,
            problem: problem,
            today: visitor.today,
            key: pages.key(refused?.typed),
            pages.names(seesVersions ? versions.map(\.stamp.actor) : []),
            view
        )
        return visit.response(page, title, status: status, notice: notice)
    }

    /// The forms of the changes that the reader may make now, and a problem that belongs to none of their fields.
    private func steps(
        _ state: TriageState,
        _ visitor: Visitor,
        _ refused: RefusedTriage?
    ) -> (forms: [StepForm], problem: String?) {
        var problems: [String: String] = [:]
        var problem: String?
        if let refused {
            problem = visitor.view.reader.message(for: refused.error, &problems)
            let names = Set(fields(of: refused.step, state, visitor, nil, [:]).map(\.name))
            let isShown = refused.step.isOffered(state, to: visitor.roles)
            // A field that the page does not have is no place for a message.
            if let name = problems.keys.first, !names.contains(name) || !isShown {
                (problem, problems) = (problems[name], [:])
            }
        }
        let forms = TriageStep.allCases.filter { $0 != .redNow && $0.isOffered(state, to: visitor.roles) }
            .map { step in
                let isRefused = refused?.step == step
                return StepForm(
                    step.rawValue,
                    label: visitor.view.words["stepHint.\(step.rawValue)Triage"],
                    fields: fields(
                        of: step,
                        state,
                        visitor,
                        isRefused ? refused?.typed : nil,
                        isRefused ? problems : [:]
                    ),
                    isGrave: step == .retract,
                    isOpen: isRefused && step != .take,
                    visitor.view.words
                )
            }
        return (forms, problem)
    }

    /// The fields of a change, with the typed values.
    private func fields(
        of step: TriageStep,
        _ state: TriageState,
        _ visitor: Visitor,
        _ typed: PageForm?,
        _ problems: [String: String]
    ) -> [FormField] {
        let words = visitor.view.words
        func choice(_ name: String, _ label: String, _ options: [(String, String)], _ value: String = "") -> FormField {
            var field = FormField(name, label, .choice, value: typed?[name] ?? value, problem: problems[name])
            field.options = options.map { FormOption($0.0, $0.1, isChosen: $0.0 == field.value) }
            return field
        }
        let none = [("", words["notSaid"])]
        func level(besides current: UrgencyLevel?) -> FormField {
            let levels = UrgencyLevel.allCases.filter { $0 != current }
                .map { (String($0.rawValue), $0.text(words)) }
            var field = choice("level", words["level"], none + levels)
            field.isRequired = true
            return field
        }
        var reason = visitor.view.reader.reason(typed, problems)
        switch step {
        case .redNow: return []
        case .take:
            let specialists = visitor.view.specialists
                .filter { $0.works(in: visitor.view.practice.id, on: visitor.today) || $0.id == visitor.specialist }
                .map { ($0.id.text, $0.profile.name) }
            let own = visitor.specialist?.text ?? ""
            return specialists.isEmpty
                ? [reason] : [choice("specialist", words["takenBy"], none + specialists, own), reason]
        case .leave:
            let reasons = TriageState.LeaveReason.allCases
                .map { ($0.rawValue, words["leaveReason.\($0.rawValue)"]) }
            var why = choice("why", words["leftWhy"], none + reasons)
            why.isRequired = true
            return [why, reason]
        case .override:
            reason.isRequired = true
            let minimum = visitor.view.reader.number(OverrideDecision.minimumReason)
            reason.hint = words["hint.overrideReason", minimum]
            return [level(besides: state.level), reason]
        case .judge: return [level(besides: nil), reason]
        case .retract:
            reason.isRequired = true
            return [reason]
        }
    }

    /// Makes a change; a refused one is shown with the typed values.
    @Sendable func changeTriage(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        guard let step = TriageStep(rawValue: typed["change"]) else {
            throw JournalError(.invalid, field: "change", "must be a change of the triage's page")
        }
        let id = try visit.triage()
        do {
            let caller = try visit.writer(typed, reason: typed["reason"])
            let version = step.expectsVersion ? UInt64(typed["version"]) : nil
            _ = try await journal.triage.changeTriage(id, expecting: version, triageChange(step, typed), caller)
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            return try await triagePage(
                visit,
                refused: RefusedTriage(step: step, typed: typed, error: error),
                status: error.code == .invalid ? .badRequest : .conflict
            )
        }
        // From the board, the reader returns to it.
        if let practice = UUID(uuidString: typed["practice"]) {
            return Pages.redirect(to: "/practices/\(practice.text)/board?done=\(step.notice)")
        }
        return Pages.redirect(to: "/triage/\(id.text)?done=\(step.notice)")
    }

    private func triageChange(_ step: TriageStep, _ typed: PageForm) throws -> TriageChange {
        func level() throws -> UrgencyLevel {
            guard let level = Int(typed["level"]).flatMap(UrgencyLevel.init(rawValue:)) else {
                throw JournalError(.invalid, field: "level", "choose a level")
            }
            return level
        }
        switch step {
        case .redNow: return .assess(.redNow)
        case .take: return .take(specialist: try self.id(typed["specialist"], "specialist"))
        case .leave:
            guard let why = TriageState.LeaveReason(rawValue: typed["why"]) else {
                throw JournalError(.invalid, field: "why", "choose why the patient left")
            }
            return .leave(why)
        case .override: return .override(try level())
        case .judge: return .judge(try level())
        case .retract: return .retract
        }
    }

    /// The assessment computed again, with its own rule set or with another one; nothing is stored.
    @Sendable func explainTriage(_ visit: PageVisit) async throws -> Response {
        let id = try visit.triage()
        let label = visit.query["rules"].flatMap { $0.isEmpty ? nil : $0 }
        let found = try await journal.triage.explainTriage(id, rules: label, visit.caller)
        let words = visit.reader.words
        let page = TriageExplanationPage(id, assessed: found.assessed.assessment, computed: found.computed, words)
        return visit.response(page, words["explanationHeading"])
    }
}

extension AdoptedRules {
    /// The labels of the rule sets with which a triage can be computed again.
    fileprivate var labels: [String] {
        (adopted.map(\.rules) + TriageRules.builtIn.map(\.label))
            .reduce(into: []) { labels, label in
                if !labels.contains(label) { labels.append(label) }
            }
    }
}
