package import FoundationEssentials

/// The location of a journal's master key, unless the user names another file.
package enum MasterKeyFile {
    /// Returns `$XDG_CONFIG_HOME/healthjournal/<journal id>.key`, or the same under `~/.config`.
    package static func defaultPath(for journal: UUID, environment: [String: String]) -> String {
        "\(configuration(environment))/healthjournal/\(journal.uuidString.lowercased()).key"
    }

    /// Returns the path of the master key that fits the journal in a folder.
    ///
    /// This is the first of the following files that fits: the key file that only this copy of the journal has, the
    /// journal's default key file, and the other key files of the journal in the same folder. If none fits, it is the
    /// default path.
    package static func path(for journal: UUID, of folder: JournalFolder, environment: [String: String]) -> String {
        let common = defaultPath(for: journal, environment: environment)
        let own = own(of: journal, in: folder, besideKey: common)
        let others = files(beside: common) { $0.hasPrefix(journal.uuidString.lowercased()) && $0.hasSuffix(".key") }
        return ([own, common] + others).first { (try? read($0, for: folder))?.opens(folder) == true } ?? common
    }

    /// Returns the path of the master key that only one copy of a journal has.
    static func own(of journal: UUID, in folder: JournalFolder, besideKey path: String) -> String {
        let restored = (try? RestoredMark(in: folder))?.event
        if let restored { return own(of: journal, restored: restored, besideKey: path) }
        let tag = FolderLocation(of: folder, journal: journal).tag
        return "\(MasterKeyFile.folder(of: path))\(name(of: journal, restored: nil))-\(tag).key"
    }

    package static func own(of journal: UUID, restored: UUID, besideKey path: String) -> String {
        "\(folder(of: path))\(name(of: journal, restored: restored)).key"
    }

    /// Returns the user's configuration folder.
    ///
    /// The XDG Base Directory Specification requires that a relative path in `XDG_CONFIG_HOME` is ignored.
    private static func configuration(_ environment: [String: String]) -> String {
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return path }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config" }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.config"
    }
}

extension EventLog {
    /// Reads the description of a journal without any key, and closes the log again.
    ///
    /// For callers that need the journal's id to find its master key. Must not be called while the log is open in this
    /// process.
    package static func description(
        of folder: JournalFolder,
        options: Options = Options()
    ) throws(EventLogError) -> JournalDescription {
        var options = options
        options.isReadOnly = true
        return try EventLog(folder: folder, masterKey: nil, options: options).description
    }
}
