internal import FoundationEssentials
package import HealthModel

/// The page of a record's events, latest first.
package struct HistoryPage: WebPage {
    package static let template = Template("history")
    package static let events = 50

    package let head: RecordHead
    package let isEmpty: Bool
    package let events: [ShownEvent]
    package let olderAddress: String?

    /// Creates the page from at most `HistoryPage.events` events, plus one if there are older ones.
    ///
    /// `predecessors` contains, by an event's position, the previous event of the same entry or profile.
    package init(
        _ head: RecordHead,
        _ found: [RecordedEvent],
        after predecessors: [UInt64: JournalEvent] = [:],
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        isEmpty = found.isEmpty
        events = found.prefix(HistoryPage.events)
            .map { ShownEvent($0, after: predecessors[$0.stamp.position], head, names, reader) }
        olderAddress =
            found.count > HistoryPage.events
            ? "\(head.address)/history?before=\(found[HistoryPage.events - 1].stamp.position)" : nil
    }
}

/// An event as it is shown to the reader.
package struct ShownEvent: Sendable {
    package let what: String
    package let address: String?
    package let when: String
    package let iso: String
    package let who: String
    package let position: UInt64
    package let proofAddress: String?
    package let detail: String?
    package let reason: String?
    package let isDenied: Bool
    package let changes: [ShownChange]

    init(
        _ event: RecordedEvent,
        after predecessor: JournalEvent? = nil,
        _ head: RecordHead,
        _ names: Names,
        _ reader: Reader
    ) {
        let words = reader.words
        when = reader.exactMoment(event.stamp.recordedAt)
        iso = event.stamp.recordedAt.description
        who = names[event.stamp.actor, reader]
        position = event.stamp.position
        proofAddress = "/v1/log/proofs/inclusion?position=\(event.stamp.position)"
        reason = event.reason.isEmpty ? nil : event.reason
        var (address, detail): (String?, String?)
        var changes: [ShownChange] = []
        var isDenied = false
        switch event.event.data {
        case is EntryAdded, is EntryCorrected, is PlanChanged, is EntryRetracted, is EntryRestored:
            let description = words.label(event.type.label)
            if let content = event.event.content ?? predecessor?.content {
                what = words["eventOf", description, words.label(content.kind.label)]
                detail = content.description(reader)
                address = event.entry.map { "\(head.address)/entries/\(content.kind.name)/\($0.text)" }
                if let before = predecessor?.content, event.event.content != nil {
                    detail = content.shown(reader).what
                    changes = content.shownChanges(from: before, reader)
                }
            } else {
                what = description
            }
        case let created as RecordCreated:
            what = words.label(event.type.label)
            let fields = created.profile.shownChanges(from: nil, reader)
                .compactMap { field in field.after.map { words["labelled", field.label, $0] } }
            detail = fields.isEmpty ? nil : fields.joined(separator: " · ")
        case let changed as RecordChanged:
            what = words.label(event.type.label)
            changes = predecessor?.profile.map { changed.profile.shownChanges(from: $0, reader) } ?? []
        case let read as RecordRead:
            what = words["access.\(read.access.action.rawValue)"]
            detail = ShownEvent.description(read.access, reader)
        case let denied as AccessDenied:
            isDenied = true
            what = words["denied", words["access.\(denied.access.action.rawValue)"]]
            detail = ShownEvent.description(denied.access, reader)
        case let repeated as AccessSummarised:
            let summary = repeated.refusals
            isDenied = true
            what = words["denied", words["access.\(summary.action.rawValue)"]]
            let sections =
                summary.sections.isEmpty ? [] : [words["accessSections", reader.sections(Set(summary.sections))]]
            let again = words.count(summary.count, "deniedAgain", reader.number(summary.count))
            detail = (sections + [again]).joined(separator: " · ")
        case let granted as CaregiverGranted:
            let terms = granted.terms
            what = words.label(event.type.label)
            let description =
                words["labelled", names[granted.account, reader], reader.sections(terms.sections)]
                + "; \(reader.term(terms))"
            detail = granted.invitedBy.map { "\(description); \(words["invitedBy", names[$0, reader]])" } ?? description
        default:
            what = words.label(event.type.label)
            detail = event.event.account.map { names[$0, reader] }
        }
        (self.address, self.detail, self.isDenied) = (address, detail, isDenied)
        self.changes = changes
    }

    private static func description(_ access: Access, _ reader: Reader) -> String? {
        let words = reader.words
        var parts: [String] = []
        if !access.sections.isEmpty { parts.append(words["accessSections", reader.sections(Set(access.sections))]) }
        if access.entryCount > 0 {
            parts.append(words.count(access.entryCount, "accessEntries", reader.number(access.entryCount)))
        }
        if let asOf = access.asOf { parts.append(words["accessAsOf", reader.number(asOf)]) }
        if let day = access.happenedBy { parts.append(words["accessHappenedBy", reader.day(day)]) }
        if !access.purpose.isEmpty { parts.append(words["accessPurpose", access.purpose]) }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}

extension EntryContent {
    /// The whole content in one line.
    fileprivate func description(_ reader: Reader) -> String {
        let shown = shown(reader)
        return ([shown.what] + shown.details.map { reader.words["labelled", $0.label, $0.text] })
            .joined(separator: " · ")
    }
}

extension Reader {
    /// The names of sections, in their defined order.
    package func sections(_ sections: Set<Section>) -> String {
        Section.allCases.filter(sections.contains).map { words["section.\($0.name)"] }.joined(separator: ", ")
    }

    package func verbs(_ verbs: Set<Verb>) -> String {
        Verb.allCases.filter(verbs.contains).map { words["verb.\($0)"] }.joined(separator: ", ")
    }

    /// The period of a grant, in words.
    package func term(_ terms: GrantTerms) -> String {
        let days =
            switch (terms.from, terms.until) {
            case (nil, nil): words["termAlways"]
            case (let from?, nil): words["termFrom", day(from)]
            case (nil, let until?): words["termUntil", day(until)]
            case (let from?, let until?): words["termFromUntil", day(from), day(until)]
            }
        return terms.emergencyAfterEnd ? "\(days); \(words["emergencyAfterEnd"])" : days
    }
}
