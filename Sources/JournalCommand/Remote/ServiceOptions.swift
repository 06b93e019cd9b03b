import ArgumentParser

/// The service through which a journal is reached.
struct ServiceOptions: ParsableArguments {
    @Option(name: .long, help: "The URL of a service to use (default: $HEALTHJOURNAL_URL, else the journal's folder).")
    var url: String?

    @Option(
        name: .long,
        help: """
            The token that authenticates the account. All users of this machine can see it in the list of processes: \
            better set $HEALTHJOURNAL_TOKEN, or give --token-file.
            """
    )
    var token: String?

    @Option(name: .long, help: "A file whose first line is the token.", completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("ca"),
        help: "A PEM file of certificates to trust besides the system's, for a service with a certificate of its own.",
        completion: .file()
    )
    var certificateFile: String?

    @Flag(
        name: .customLong("insecure-http"),
        help: "Use plain HTTP to another machine; the data and the token can then be read on the network."
    )
    var allowsPlainHTTP = false

    fileprivate var isGiven: Bool {
        token != nil || tokenFile != nil || certificateFile != nil || allowsPlainHTTP
    }
}

extension LocationOptions {
    /// The address of the service; nil where the journal is in a folder.
    ///
    /// The command line takes precedence over the environment.
    var serviceURL: String? {
        get throws {
            if service.url != nil, journal != nil {
                throw ValidationError("give --url for a service or --journal for a folder, not both")
            }
            let url = service.url ?? (journal == nil ? ProcessEnvironment.value("HEALTHJOURNAL_URL") : nil)
            if url == nil, service.isGiven {
                throw ValidationError("--token, --token-file, --ca and --insecure-http go with --url")
            }
            return url
        }
    }

    /// Throws if a service is selected for a command that needs the journal's folder.
    func requireFolder() throws {
        guard let url = try serviceURL else { return }
        let source = service.url == nil ? "$HEALTHJOURNAL_URL" : "--url"
        throw ValidationError(
            """
            this command needs the journal's folder, and cannot use a service: run it on the machine where the \
            journal is, with --journal DIR instead of \(source) (\(ServiceAddress.shown(url)))
            """
        )
    }
}
