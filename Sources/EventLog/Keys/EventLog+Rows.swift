internal import Crypto
package import FoundationEssentials

extension EventLog {
    /// Seals what a view must keep of a subject.
    ///
    /// `context` names the row, so that it opens nowhere else.
    package func sealRow(_ bytes: [UInt8], subject: UUID, context: [UInt8]) throws(EventLogError) -> [UInt8] {
        let key = try keys.key(for: subject)
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: context)
            return Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw EventLogError(.storage, "a row of a view could not be sealed")
        }
    }

    /// Opens such a row.
    package func openRow(_ sealed: [UInt8], subject: UUID, context: [UInt8]) throws(EventLogError) -> [UInt8] {
        let key = try keys.key(for: subject)
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: sealed.prefix(12)),
                ciphertext: sealed.dropFirst(12).dropLast(16),
                tag: sealed.suffix(16)
            )
            return try [UInt8](AES.GCM.open(box, using: key, authenticating: context))
        } catch {
            throw EventLogError(.damaged, "a row of a view is damaged; run: healthjournal views rebuild")
        }
    }
}
