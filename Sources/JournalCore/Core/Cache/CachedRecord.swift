internal import CaregiverPermissions
internal import FoundationEssentials
package import HealthModel

/// The cached state of one record, valid as of the position that the cache has reached.
struct CachedRecord: Sized {
    /// The version of the record's own stream.
    let version: UInt64
    /// The id of the stream of reads of the record, cached because it is a keyed digest.
    let accessStream: UUID
    /// The record without its entries.
    private(set) var header: RecordState
    /// The access of accounts to the record.
    private(set) var permissions: [UUID: Permission] = [:]
    private(set) var answers: [QueryKey: RenderedAnswer] = [:]
    /// The approximate size of the whole state, in bytes.
    private(set) var byteCount = CachedRecord.usualBytes

    init(version: UInt64, accessStream: UUID, header: RecordState) {
        (self.version, self.accessStream, self.header) = (version, accessStream, header)
    }

    mutating func keep(_ permission: Permission, of account: UUID) {
        if permissions.updateValue(permission, forKey: account) == nil { byteCount += CachedRecord.permissionBytes }
    }

    mutating func keep(_ answer: RenderedAnswer, to question: QueryKey) {
        if let before = answers.updateValue(answer, forKey: question) {
            byteCount -= before.byteCount
        } else {
            byteCount += question.byteCount
        }
        byteCount += answer.byteCount
    }

    /// Applies a change of an entry, which affects only the answers and the time of the record's last change.
    mutating func entryChanged(at stamp: Stamp) {
        byteCount -= answers.reduce(0) { $0 + $1.key.byteCount + $1.value.byteCount }
        answers = [:]
        header.updated = stamp
    }

    /// The estimated sizes of a record's fields, and of an account's grant with its notes; most are smaller.
    private static let usualBytes = 4_096
    private static let permissionBytes = 512
}

/// A query of a record; equal questions have the same answer while nothing changes.
package struct QueryKey: Hashable, Sendable {
    let form: AnswerForm
    let options: ReadOptions
    /// The right and the part of the record that the gate permits: a narrower scope is a different question.
    let right: AccessRight
    let scope: AccessScope

    package init(
        form: AnswerForm,
        options: ReadOptions,
        right: AccessRight,
        scope: AccessScope
    ) {
        self.form = form
        self.options = options
        self.right = right
        self.scope = scope
    }

    /// The approximate size in memory, in bytes.
    var byteCount: Int {
        let address = if case .fhir(let address) = form { address.utf8.count } else { 0 }
        return MemoryLayout<Self>.stride + address + (options.kinds?.count ?? 0) * MemoryLayout<Kind>.stride
    }

    /// Hashes only the fields that usually differ; equality compares all fields.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(options.page)
        hasher.combine(right)
    }
}
