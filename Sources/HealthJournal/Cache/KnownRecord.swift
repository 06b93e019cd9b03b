internal import CaregiverPermissions
internal import FoundationEssentials
internal import HealthModel

/// What was worked out of one record, true as of the position that the cache has come to.
struct KnownRecord: Sized {
    /// Of the record's own stream.
    let version: UInt64
    /// The name of the stream of those who looked at it: a keyed digest, and not made for each look.
    let accessStream: UUID
    /// The record without its entries.
    private(set) var header: RecordState
    /// How accounts stand to it.
    private(set) var permissions: [UUID: Permission] = [:]
    private(set) var answers: [Question: RenderedAnswer] = [:]
    /// What all of it takes, about.
    private(set) var byteCount = KnownRecord.usualBytes

    init(version: UInt64, accessStream: UUID, header: RecordState) {
        (self.version, self.accessStream, self.header) = (version, accessStream, header)
    }

    mutating func keep(_ permission: Permission, of account: UUID) {
        if permissions.updateValue(permission, forKey: account) == nil { byteCount += KnownRecord.permissionBytes }
    }

    mutating func keep(_ answer: RenderedAnswer, to question: Question) {
        if let before = answers.updateValue(answer, forKey: question) { byteCount -= before.byteCount }
        byteCount += answer.byteCount
    }

    /// An entry was added or changed: nothing of the record but its entries, and when it was last changed.
    mutating func entryChanged(at stamp: Stamp) {
        byteCount -= answers.values.reduce(0) { $0 + $1.byteCount }
        answers = [:]
        header.updated = stamp
    }

    /// A record's fields, and an account's grant with its notes: most take less.
    private static let usualBytes = 4_096
    private static let permissionBytes = 512
}

/// What was asked of a record: two that are equal have the same answer while nothing changes.
struct Question: Hashable, Sendable {
    let form: AnswerForm
    let options: ReadOptions
    /// How much of the record the gate lets the caller see, and by what right: a narrower sight is another question.
    let right: AccessRight
    let sight: Sight

    /// By what mostly tells them apart; equality looks at all of it.
    func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(options.page)
        hasher.combine(right)
    }
}
