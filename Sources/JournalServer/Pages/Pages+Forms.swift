import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

extension Pages {
    /// The notice about a completed action, for the page after the redirect.
    ///
    /// The address selects texts of a fixed set; it contains no text of its own.
    func notice(_ query: Query, _ words: Words) -> PageFrame.Notice? {
        guard let done = query.done else { return nil }
        let warnings = done.split(separator: ".").dropFirst().compactMap { DoseWarning(rawValue: String($0)) }
        if done.hasPrefix(Self.doseUnusual) {
            let texts = warnings.map { words["doseWarning.\($0.rawValue)"] }
            return PageFrame.Notice(words[Self.doseUnusual, texts.joined(separator: "; ")], isWarning: true)
        }
        return Pages.notices.contains(done) ? PageFrame.Notice(words[done]) : nil
    }

    /// Returns the name of the notice about doses that were recorded with warnings.
    static func notice(of warnings: Set<DoseWarning>) -> String {
        ([doseUnusual] + DoseWarning.allCases.filter(warnings.contains).map(\.rawValue)).joined(separator: ".")
    }

    private static let doseUnusual = "doseUnusual"

    private static let notices: Set<String> = [
        "added", "resultsAdded", "changed", "unchanged", "retractedNow", "restoredNow", "movedNow", "erasedNow",
        "undone", "recordMade",
        "recordClosedNow", "recordReopenedNow", "revokedNow",
        "withdrawnNow", "accepted", "signedOut", "settingsKept", "accountKept", "passwordKept", "sessionEnded",
        "tokenRevoked",
        "imported", "importUndone", "accountAdded", "accountRemoved", "passwordOfKept", "doseTaken", "doseSkipped",
        "doseUnchanged", "doseUndone",
        "asked", "checked", "settledNow",
        "doseSnoozed", "calendarUnlinked", "channelNew", "channelRemoved", "channelTested",
        "versionsSettled", "practiceGranted",
        "registrationAcceptedNow", "registrationRefusedNow", "registrationEndedNow",
        "booked", "seriesBooked", "visitMoved", "visitConfirmed", "visitArrived", "visitBegun", "visitCompleted",
        "visitMissed",
        "visitCancelled", "visitReinstated", "visitRetracted",
        "onBoard", "redNowDone", "assessedNow", "triageTaken", "triageLeft", "levelSetNow", "triageJudged",
        "triageRemoved", "rulesAdopted",
    ]

    /// Returns the kinds of entries that a caller may add to a record with a form; programs may add further ones.
    func kindsByHand(to record: UUID, _ caller: Caller) async throws -> Set<Kind> {
        try await journal.access.contributions(to: record, caller).filter(EntryFormLayout.isByHand)
    }

    /// The field in which users confirm their identity with their password; none if the account has no password.
    func confirmation(
        _ caller: Caller,
        _ reader: Reader,
        _ problems: [String: String],
        isNeeded: Bool = true
    ) throws -> [FormField] {
        guard try journal.accounts.account(caller.account).password != nil else { return [] }
        var field = FormField("current", reader.words["confirmPassword"], .password, problem: problems["current"])
        field.hint = reader.words["hint.confirmPassword"]
        field.isRequired = isNeeded
        return [field]
    }

    /// The key that identifies a form if it is sent twice: that of the submitted form, or a new one.
    func key(_ typed: PageForm? = nil) -> String {
        typed.flatMap { UUID(uuidString: $0["key"])?.text } ?? UUID().text
    }
}

extension Reader {
    /// The form field for the reason of a change.
    func reason(_ typed: PageForm? = nil, _ problems: [String: String] = [:]) -> FormField {
        var field = FormField(
            "reason",
            words["reason"],
            .paragraphs,
            value: typed?["reason"] ?? "",
            problem: problems["reason"]
        )
        field.hint = words["hint.changeReason"]
        return field
    }

    /// A summary of how many fields have problems; nil if none has.
    func summary(_ problems: [String: String]) -> String? {
        problems.isEmpty ? nil : words.count(problems.count, "fieldsWrong", String(problems.count))
    }

    /// Adds an error to the field that it names; returns the message for the form as a whole.
    func message(for error: JournalError, _ problems: inout [String: String]) -> String? {
        let text = words.sentence(error.text)
        guard error.code != .stale, let field = error.field else { return text }
        problems[field] = text
        return summary(problems)
    }
}

extension JournalError {
    /// Whether the user can correct the error in the form.
    var isOfTheForm: Bool { [.invalid, .conflict, .scheduleConflict, .stale].contains(code) }
}
