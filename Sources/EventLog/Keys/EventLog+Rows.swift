internal import Cipher
package import FoundationEssentials
internal import LMDB

extension EventLog {
    /// Seals a row of a view that contains data of a subject.
    ///
    /// `context` identifies the row and is authenticated, so that the sealed bytes do not open in another row.
    package func sealRow(_ bytes: [UInt8], subject: UUID, context: [UInt8]) throws(EventLogError) -> [UInt8] {
        let key = try keys.key(for: subject)
        do throws(Cipher.SealingFailed) {
            return try Cipher.seal(bytes, authenticating: context, key: key)
        } catch {
            throw EventLogError(.storage, "a row of a view could not be sealed")
        }
    }

    /// Opens a row that `sealRow` sealed.
    package func openRow(_ sealed: [UInt8], subject: UUID, context: [UInt8]) throws(EventLogError) -> [UInt8] {
        let key = try keys.key(for: subject)
        do throws(Cipher.DoesNotOpen) {
            return try Cipher.open(sealed.raw, authenticating: context.raw, key: key)
        } catch {
            throw EventLogError(.damaged, "a row of a view is damaged; run: healthjournal views rebuild")
        }
    }
}
