package import FoundationEssentials

/// Where a journal's master key is kept, unless somebody names another place.
package enum MasterKeyFile {
    /// `$XDG_CONFIG_HOME/healthjournal/<journal id>.key`, or the same under `~/.config`.
    package static func defaultPath(for journal: UUID, environment: [String: String]) -> String {
        "\(configuration(environment))/healthjournal/\(journal.uuidString.lowercased()).key"
    }

    /// A relative path in `XDG_CONFIG_HOME` is to be ignored, says the XDG base directory specification.
    private static func configuration(_ environment: [String: String]) -> String {
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return path }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config" }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.config"
    }
}

extension EventLog {
    /// What a journal says of itself, read without any key and with the log closed again.
    ///
    /// For those who must know the journal's id to find its master key. Not while the log is open in this process.
    package static func description(
        of folder: JournalFolder,
        options: Options = Options()
    ) throws(EventLogError) -> JournalDescription {
        var options = options
        options.isReadOnly = true
        return try EventLog(folder: folder, masterKey: nil, options: options).description
    }
}
