internal import Crypto
internal import FoundationEssentials
internal import HealthModel
internal import JournalCore
internal import Platform

/// A small file that is encrypted and is replaced as a whole, so that a power loss leaves the old or the new one.
struct SealedFile {
    let path: String
    let key: SymmetricKey

    private static let maximumBytes = 64 << 20

    /// Returns the content; nil if there is no file.
    func read() throws(JournalError) -> [UInt8]? {
        guard DurableFile.exists(path) else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: DurableFile.read(path, atMost: SealedFile.maximumBytes))
            return try Array(AES.GCM.open(box, using: key))
        } catch {
            throw JournalError(.damaged, "\(path) is damaged, or the key is not that of this replica")
        }
    }

    func write(_ bytes: [UInt8]) throws(JournalError) {
        do {
            guard let sealed = try AES.GCM.seal(bytes, using: key).combined else {
                throw JournalError(.failed, "\(path) cannot be encrypted")
            }
            try DurableFile.replace(path, with: Array(sealed))
        } catch {
            throw JournalError(error)
        }
    }
}
