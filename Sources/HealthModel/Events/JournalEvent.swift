package import FoundationEssentials

/// An event of the journal with its data, as stored in the log.
///
/// It is handled by the type of its data:
///
///     switch event.data {
///     case let held as RecordHeld: hold = held.until
///     default: break
///     }
///
/// Nearly all events of a journal set the content of an entry or record an access. These are stored as such, so that
/// code on the path of each event needs no cast. The enum is indirect because events are copied often: a copy retains
/// one box instead of every text and array.
package indirect enum JournalEvent: Sendable {
    case content(EntryContent, of: EventType)
    case access(Access, of: EventType)
    case fields(any EventData)

    package init<Data: EventData>(_ data: Data) {
        guard case .fields = Data.definition.form else {
            preconditionFailure("\(Data.self) must conform to EntryContentEvent or AccessEvent where it is made")
        }
        self = .fields(data)
    }

    package init<Data: EntryContentEvent>(_ data: Data) { self = .content(data.content, of: Data.type) }

    package init<Data: AccessEvent>(_ data: Data) { self = .access(data.access, of: Data.type) }

    package var type: EventType {
        switch self {
        case .content(_, let type), .access(_, let type): type
        case .fields(let data): Swift.type(of: data).type
        }
    }

    package var data: any EventData {
        switch (self, definition.form) {
        case (.content(let content, _), .content(let make)): make(content)
        case (.access(let access, _), .access(let make)): make(access)
        case (.fields(let data), _): data
        default: preconditionFailure("an event whose data is not that of its type")
        }
    }

    package var definition: EventDefinition { type.definition }

    /// The values of the fields by which the event is defined; empty if it has an entry's content or an access.
    package var values: FieldValues {
        guard case .fields(let data) = self, case .fields(let write, _) = definition.form else { return FieldValues() }
        return write(data)
    }

    /// The entry content that the event sets, or nil.
    ///
    /// The frame's header contains the kind of the content and the day of its date.
    package var content: EntryContent? {
        if case .content(let content, _) = self { content } else { nil }
    }

    /// The access that the event records, or nil.
    package var access: Access? {
        if case .access(let access, _) = self { access } else { nil }
    }

    /// The profile that the event sets, or nil.
    package var profile: RecordProfile? {
        guard case .fields(let data) = self else { return nil }
        return switch data {
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
}

extension JournalEvent: Hashable {
    package static func == (left: JournalEvent, right: JournalEvent) -> Bool {
        switch (left, right) {
        case (.content(let left, let leftType), .content(let right, let rightType)):
            leftType == rightType && left == right
        case (.access(let left, let leftType), .access(let right, let rightType)):
            leftType == rightType && left == right
        case (.fields(let left), .fields(let right)): left.isEqual(to: right)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .content(let content, _): hasher.combine(content)
        case .access(let access, _): hasher.combine(access)
        case .fields(let data): data.hash(into: &hasher)
        }
    }
}
