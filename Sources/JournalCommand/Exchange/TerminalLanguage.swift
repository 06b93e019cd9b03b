/// The language of the terminal, as POSIX environment variables describe it.
enum TerminalLanguage {
    /// Returns the locale of numbers, by the first of `LC_ALL`, `LC_NUMERIC` and `LANG` that is set.
    static func numbers(_ environment: [String: String]) -> String? {
        tag(environment, ["LC_ALL", "LC_NUMERIC", "LANG"])
    }

    /// Returns the BCP 47 tag of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set, such as `de-CH` for
    /// `de_CH.UTF-8`; nil for the locales `C` and `POSIX`, and if none is set.
    static func tag(_ environment: [String: String]) -> String? {
        tag(environment, ["LC_ALL", "LC_MESSAGES", "LANG"])
    }

    private static func tag(_ environment: [String: String], _ names: [String]) -> String? {
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale else { return nil }
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["C", "POSIX"].contains(name) ? nil : String(name.replacing("_", with: "-"))
    }
}
