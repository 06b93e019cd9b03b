import ArgumentParser

extension LocationOptions {
    /// The address of the service; nil where the journal is in a folder.
    ///
    /// The command line takes precedence over the environment.
    var serviceURL: String? {
        get throws {
            if self.url != nil, journal != nil {
                throw ValidationError("give --url for a service or --journal for a folder, not both")
            }
            let url = self.url ?? (journal == nil ? ProcessEnvironment.value("HEALTHJOURNAL_URL") : nil)
            if url == nil, namesService {
                throw ValidationError("--token, --token-file, --ca and --insecure-http go with --url")
            }
            return url
        }
    }

    /// Throws if a service is selected for a command that needs the journal's folder.
    func requireFolder() throws {
        guard let url = try serviceURL else { return }
        let source = self.url == nil ? "$HEALTHJOURNAL_URL" : "--url"
        throw ValidationError(
            """
            this command needs the journal's folder, and cannot use a service: run it on the machine where the \
            journal is, with --journal DIR instead of \(source) (\(ServiceAddress.shown(url)))
            """
        )
    }

    /// Whether an option is given that only a service needs.
    private var namesService: Bool {
        token != nil || tokenFile != nil || certificateFile != nil || allowsPlainHTTP
    }
}
