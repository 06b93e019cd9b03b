internal import FoundationEssentials
package import HealthModel

/// What became of a record: its events, the latest first.
package struct HistoryPage: WebPage {
    package static let template = "history"
    package static let events = 50

    package let head: RecordHead
    package let isEmpty: Bool
    package let events: [ShownEvent]
    package let olderAddress: String?

    /// With one event more than there is room for, where there are older ones; and with what the same entry said before
    /// each of them, by their positions.
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

/// An event as somebody reads it.
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
        switch event.event {
        case .entryAdded, .entryCorrected, .entryRetracted, .entryRestored:
            let told = words["event.\(event.type)"]
            if let content = event.event.content ?? predecessor?.content {
                what = words["eventOf", told, content.kind.label]
                detail = content.told(reader)
                address = event.entry.map { "\(head.address)/entries/\(content.kind.name)/\($0.text)" }
                if let before = predecessor?.content, event.event.content != nil {
                    detail = content.shown(reader).what
                    changes = content.shownChanges(from: before, reader)
                }
            } else {
                what = told
            }
        case .recordCreated(let profile, _):
            what = words["event.\(event.type)"]
            let fields = profile.shownChanges(from: nil, reader)
                .compactMap { field in field.after.map { "\(field.label): \($0)" } }
            detail = fields.isEmpty ? nil : fields.joined(separator: " · ")
        case .recordChanged(let profile):
            what = words["event.\(event.type)"]
            changes = predecessor?.profile.map { profile.shownChanges(from: $0, reader) } ?? []
        case .recordRead(let access):
            what = words["access.\(access.action.rawValue)"]
            detail = ShownEvent.told(access, reader)
        case .accessDenied(let access):
            isDenied = true
            what = words["denied", words["access.\(access.action.rawValue)"]]
            detail = ShownEvent.told(access, reader)
        case .caregiverGranted(let account, let terms):
            what = words["event.\(event.type)"]
            detail = "\(names[account, reader]): \(reader.sections(terms.sections)); \(reader.term(terms))"
        case .caregiverRevoked(let account), .recordOwnerAdded(let account), .recordOwnerRemoved(let account),
            .recordTransferred(let account), .emergencyOpened(let account, _):
            what = words["event.\(event.type)"]
            detail = names[account, reader]
        default:
            what = words["event.\(event.type)"]
        }
        (self.address, self.detail, self.isDenied) = (address, detail, isDenied)
        self.changes = changes
    }

    private static func told(_ access: Access, _ reader: Reader) -> String? {
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
    /// All of it in a line.
    fileprivate func told(_ reader: Reader) -> String {
        let shown = shown(reader)
        return ([shown.what] + shown.details.map { "\($0.label): \($0.text)" }).joined(separator: " · ")
    }
}

extension Reader {
    /// The names of sections, in their order.
    package func sections(_ sections: Set<Section>) -> String {
        Section.allCases.filter(sections.contains).map { words["section.\($0.name)"] }.joined(separator: ", ")
    }

    func verbs(_ verbs: Set<Verb>) -> String {
        Verb.allCases.filter(verbs.contains).map { words["verb.\($0)"] }.joined(separator: ", ")
    }

    /// From when until when somebody is let in.
    func term(_ terms: GrantTerms) -> String {
        switch (terms.from, terms.until) {
        case (nil, nil): words["termAlways"]
        case (let from?, nil): words["termFrom", day(from)]
        case (nil, let until?): words["termUntil", day(until)]
        case (let from?, let until?): words["termFromUntil", day(from), day(until)]
        }
    }
}
