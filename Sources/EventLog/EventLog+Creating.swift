internal import LMDB
internal import Platform

extension EventLog {
    /// Opens the database of a journal that is being created.
    ///
    /// LMDB writes the first pages of its file in several steps. A power cut between them leaves a file that cannot be
    /// opened. As long as no subject has a key, such a file cannot contain an event, so it is removed and created
    /// again.
    static func newEnvironment(
        in folder: JournalFolder,
        options: Environment.Options
    ) throws -> Environment {
        do throws(StorageError) {
            return try Environment(folder: folder.log, options: options)
        } catch {
            guard [.notADatabase, .corrupted].contains(error.code), try !KeyStore.hasKeys(in: folder) else {
                throw error
            }
        }
        for name in ["data.mdb", "lock.mdb"] { try DurableFile.remove(folder.log + "/" + name) }
        return try Environment(folder: folder.log, options: options)
    }
}
