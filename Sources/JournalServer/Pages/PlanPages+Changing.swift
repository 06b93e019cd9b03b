import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that changes a plan from a moment on.
extension PlanPages {
    @Sendable func edit(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        let plan = plan(of: entry)
        let (planForm, now) = try await planForm(visit)
        var values = planForm.typed(of: plan, effective: now.day)
        // Doses that were given earlier today stay with the plan as it was.
        values["effective"] = now.description
        if plan.rules.isEmpty {
            let preferences = try await journal.accounts.preferences(visit.caller)
            let frequency = entry.content.body.text(PlanFields.frequency)
            values.merge(PlanForm(reader).preset(of: frequency, preferences)) { $1 }
        }
        let form = changing(entry, head, changeFields(values, entry, reader), reader, version: entry.latest.position)
        return visit.response(form, form.heading)
    }

    @Sendable func change(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        var values = typed.planValues
        let version = UInt64(typed["version"]) ?? entry.latest.position
        let showsRule = typed["step"] == "replaces"
        if showsRule, let rule = plan(of: entry).rules.first(where: { $0.id.text == values["replaces"] }) {
            let kept = values.filter { ["effective", "replaces"].contains($0.key) }
            values = try await planForm(visit).form.changed(rule).merging(kept) { $1 }
        }
        if typed.showsFields || showsRule {
            let fields = changeFields(values, entry, reader)
            let form = changing(entry, head, fields, reader, [], typed, version: version)
            return visit.response(form, form.heading)
        }
        var problems: [String: String] = [:]
        let effective = values["effective"].flatMap { try? WallMoment(parsing: $0) }
        if effective == nil { problems["effective"] = reader.words["startNeeded"] }
        var content = entry.content
        let from = effective ?? WallMoment(day: journal.today)
        let plan = plan(of: entry)
        let current = plan.rules(from: from)
        var change: ScheduleReplacement?
        do {
            change = try plan.replacing(PlanForm.replacement(values), from: from)
        } catch {
            // If nothing applies then, the form has no field for the replaced rule.
            let isOver = error == .endedRule && current.isEmpty
            let (field, word) = isOver ? ("effective", "replacedHasEnded") : ("replaces", "replacesNeeded")
            problems[field] = reader.words[word]
        }
        var rules = try await planForm(visit).form.rules(values, from: from, &problems)
        // The form does not ask for the clock, so the plan keeps its own.
        let clock = (change?.replaced.last ?? current.last ?? plan.rules.last)?.clock ?? .local
        for index in rules.indices { rules[index].clock = clock }
        if !rules.isEmpty, let effective, let change {
            content.changeSchedule(to: rules, from: effective, replacing: change.replacement)
        }
        var message: String?
        if problems.isEmpty, typed["checked"] == typed.planDigest {
            do {
                let changed = content
                let expected = ExpectedEntry(
                    record: entry.record,
                    kind: entry.kind,
                    position: UInt64(typed["version"]) ?? 0
                )
                _ = try await journal.entries.changePlan(entry.id, expecting: expected, visit.writer(typed)) {
                    $0 = changed
                }
                return Pages.redirect(to: "\(head.address)/medication?done=changed")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        let isChecked = problems.isEmpty && message == nil
        var facts =
            isChecked
            ? try await preview(content, rules, replacing: entry.id, entry.record, visit) : []
        if isChecked, let change {
            let body = entry.content.body
            let (unit, strength) = (body.text(PlanFields.unit), PlanStrength(body))
            for (word, rules) in [("replacedRule", change.replaced), ("keptRule", change.kept)] {
                facts += rules.map {
                    FormPage.Fact(reader.words[word], reader.rule($0, stopped: nil, unit: unit, strength: strength))
                }
            }
        }
        var form = changing(
            entry,
            head,
            changeFields(values, entry, reader, problems),
            reader,
            facts,
            typed,
            version: version
        )
        form.problem = message ?? reader.summary(problems)
        if form.hasFacts { form.hidden = [.init("checked", typed.planDigest)] }
        return visit.response(form, form.heading, status: form.hasFacts ? .ok : .badRequest)
    }

    private func changeFields(
        _ values: [String: String],
        _ entry: EntryState,
        _ reader: Reader,
        _ problems: [String: String] = [:]
    ) -> [FormField] {
        let moment = values["effective"].flatMap { try? WallMoment(parsing: $0) } ?? WallMoment(day: journal.today)
        let plan = plan(of: entry)
        let rules = plan.rules(at: moment)
        return PlanForm(reader)
            .changeFields(
                values,
                replacing: rules,
                hasMore: plan.rules(from: moment).count > rules.count,
                unit: entry.content.body.text(PlanFields.unit),
                strength: PlanStrength(entry.content.body),
                problems: problems
            )
    }

    private func changing(
        _ entry: EntryState,
        _ head: RecordHead,
        _ fields: [FormField],
        _ reader: Reader,
        _ facts: [FormPage.Fact] = [],
        _ typed: PageForm? = nil,
        version: UInt64
    ) -> FormPage {
        FormPage(
            head,
            heading: reader.words["changePlanHeading", entry.content.shown(reader).what],
            lead: reader.words[facts.isEmpty ? "changePlanLead" : "planCheckLead"],
            facts: facts,
            action: "\(head.address)/medication/\(entry.id.text)/change",
            cancel: "\(head.address)/medication",
            submit: reader.words[facts.isEmpty ? "checkPlan" : "savePlan"],
            fields: fields,
            key: pages.key(typed),
            version: version
        )
    }
}
