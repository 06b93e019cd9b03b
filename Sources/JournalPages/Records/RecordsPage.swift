package import FoundationEssentials
package import HealthModel

/// The page of all records that the reader may see.
package struct RecordsPage: WebPage {
    package static let template = Template("records")

    package let groups: [Group]
    package let notices: [Notice]
    package let mayAdd: Bool
    package let mayAccept: Bool
    package let isEmpty: Bool
    /// Whether to ask the user to set a password: without one, they could not sign in again.
    package let needsPassword: Bool
    /// Whether the reader is a member of a practice.
    package let hasPractices: Bool

    package struct Group: Sendable {
        package let heading: String
        package let records: [Item]
    }

    package struct Item: Sendable {
        package let address: String
        package let name: String
        package let facts: String?
        /// When the record was last changed; nil for readers who are not owners, because it may concern parts they
        /// cannot see.
        package let changed: String?
        package let isClosed: Bool
    }

    /// A notice that the emergency view of a record was opened.
    package struct Notice: Sendable {
        package let position: UInt64
        package let heading: String
        package let text: String
        package let reason: String

        package init(
            position: UInt64,
            record: String,
            account: String,
            opened: Instant,
            expires: Instant,
            ended: Instant?,
            reason: String,
            _ reader: Reader
        ) {
            self.position = position
            heading = reader.words["noticeHeading", record]
            let key = ended == nil ? "noticeText" : "noticeEndedText"
            text = reader.words[key, account, reader.moment(opened), reader.moment(ended ?? expires)]
            self.reason = reason
        }
    }

    package init(
        _ records: [RecordState],
        withPlans: Set<UUID>,
        notices: [Notice],
        isPerson: Bool,
        needsPassword: Bool,
        hasPractices: Bool = false,
        account: UUID,
        today: Day,
        _ reader: Reader
    ) {
        self.notices = notices
        self.needsPassword = needsPassword
        self.hasPractices = hasPractices
        mayAdd = isPerson
        mayAccept = isPerson
        isEmpty = records.isEmpty
        groups = [(Subject.human, "people"), (Subject.animal, "animals")]
            .compactMap { subject, heading in
                let items = records.filter { $0.profile.subject == subject }
                    .map { record in
                        let facts = RecordHead.facts(record, today, reader)
                        return Item(
                            // The doses to take come first.
                            address: "/records/\(record.id.text)\(withPlans.contains(record.id) ? "/today" : "")",
                            name: reader.name(record.displayName),
                            facts: facts.isEmpty ? nil : facts.joined(separator: " · "),
                            changed: record.owners.contains(account)
                                ? reader.words["lastChanged", reader.day(of: record.updated.recordedAt)] : nil,
                            isClosed: record.isClosed
                        )
                    }
                return items.isEmpty ? nil : Group(heading: reader.words[heading], records: items)
            }
    }
}
