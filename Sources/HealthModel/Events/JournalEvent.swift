package import FoundationEssentials

/// An event of the journal with its data, as stored in the log.
///
/// It is handled by the type of its data:
///
///     switch event.data {
///     case let held as RecordHeld: hold = held.until
///     default: break
///     }
package struct JournalEvent: Sendable {
    package let data: any EventData

    package init(_ data: some EventData) { self.data = data }

    package init(any data: any EventData) { self.data = data }

    package var definition: EventDefinition { Swift.type(of: data).definition }
    package var type: EventType { definition.type }

    /// The values of the fields by which the event is defined; empty if it has an entry's content or an access.
    package var values: FieldValues {
        if case .fields(let values) = definition.payload(of: data) { values } else { FieldValues() }
    }

    /// The entry content that the event sets, or nil.
    ///
    /// The frame's header contains the kind of the content and the day of its date.
    package var content: EntryContent? {
        switch data {
        case let added as EntryAdded: added.content
        case let corrected as EntryCorrected: corrected.content
        default: nil
        }
    }

    /// The profile that the event sets, or nil.
    package var profile: RecordProfile? {
        switch data {
        case let created as RecordCreated: created.profile
        case let changed as RecordChanged: changed.profile
        default: nil
        }
    }

    /// The account that gains or loses something by the event, besides its actor; nil if there is none.
    package var account: UUID? {
        let field = definition.fields.first { $0.field.name == "account" }
        guard let field, case .id(let account)? = values[field.field] else { return nil }
        return account
    }

    /// The access that the event records, or nil.
    package var access: Access? {
        switch data {
        case let read as RecordRead: read.access
        case let denied as AccessDenied: denied.access
        default: nil
        }
    }
}

extension JournalEvent: Hashable {
    package static func == (left: JournalEvent, right: JournalEvent) -> Bool {
        left.data.isEqual(to: right.data)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        data.hash(into: &hasher)
    }
}

extension JournalEvent: CustomStringConvertible {
    package var description: String { "\(data)" }
}
