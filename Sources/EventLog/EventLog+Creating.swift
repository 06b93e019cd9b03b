internal import LMDB

extension EventLog {
    /// Opens the database of a journal that is being made.
    ///
    /// LMDB writes the first pages of its file in several steps. A power cut between them leaves a file that nobody can
    /// open; as long as no subject has a key there can have been no event in it, and it is made anew.
    static func newEnvironment(
        in folder: JournalFolder,
        options: Environment.Options
    ) throws -> Environment {
        do throws(LMDBError) {
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
