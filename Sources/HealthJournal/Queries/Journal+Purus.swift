internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange

extension Journal {
    /// Where the ids of a Purus document are derived from, kept secret by this journal.
    ///
    /// On trial no key is made: a record that is not there yet has nothing that its entries could be held against.
    package func purusNamespaces(isTrial: Bool) throws(JournalError) -> PurusNamespaces {
        do {
            let log = log
            return PurusNamespaces(records: try log.opaqueID(of: "purus", subject: log.description.id)) {
                record in
                if isTrial, try log.version(of: record) == 0 { return UUID() }
                do {
                    return try log.opaqueID(of: "purus", subject: record)
                } catch let error as EventLogError where error.code == .subjectErased {
                    // Its entries have no ids any more; who may know of the erasure is decided when it is taken in.
                    return UUID()
                }
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// A record that was read, as a Purus document with its attachments.
    ///
    /// Throws when one of them is not as it was kept.
    package func purusDocument(of answer: RecordAnswer, scope: ExportScope) throws(JournalError) -> JSONValue {
        do {
            var attachments: [UUID: [UInt8]] = [:]
            for entry in answer.state.entries where scope.includes(entry) {
                guard let digest = entry.content.body.group(Document.content)?.text(Document.digest),
                    entry.kind == Document.kind
                else { continue }
                attachments[entry.id] = try log.blobs.get(digest, subject: entry.record)
            }
            return PurusDocument.write(
                answer.state,
                namespace: try log.opaqueID(of: "purus", subject: answer.state.id),
                scope: scope
            ) { attachments[$0.id] }
        } catch {
            throw JournalError(error)
        }
    }
}
