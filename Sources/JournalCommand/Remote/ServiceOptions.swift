import ArgumentParser

/// The service through which a journal is reached.
struct ServiceOptions: ParsableArguments {
    @Option(name: .long, help: "Act on the journal of a running service (else $HEALTHJOURNAL_URL, else on a folder).")
    var url: String?

    @Option(
        name: .long,
        help: """
            By what the service knows who acts. Everybody on this machine sees it in the list of processes: rather set \
            $HEALTHJOURNAL_TOKEN, or give --token-file.
            """
    )
    var token: String?

    @Option(name: .long, help: "A file whose first line is the token.")
    var tokenFile: String?

    @Option(
        name: .customLong("ca"),
        help: "A PEM file of certificates to trust besides those that this machine does: for a service with its own."
    )
    var certificateFile: String?

    @Flag(
        name: .customLong("insecure-http"),
        help: "Speak plain HTTP to another machine: whoever is between reads along, and takes the token."
    )
    var allowsPlainHTTP = false

    fileprivate var isGiven: Bool {
        token != nil || tokenFile != nil || certificateFile != nil || allowsPlainHTTP
    }
}

extension PlaceOptions {
    /// The service to ask; nil where the journal is in a folder.
    ///
    /// What was asked for on the command line goes before what the environment says.
    var serviceURL: String? {
        get throws {
            if service.url != nil, journal != nil {
                throw ValidationError("give --url for a service or --journal for a folder, not both")
            }
            let url = service.url ?? (journal == nil ? Environment.value("HEALTHJOURNAL_URL") : nil)
            if url == nil, service.isGiven {
                throw ValidationError("--token, --token-file, --ca and --insecure-http go with --url")
            }
            return url
        }
    }

    /// Refuses to do through a service what takes the journal's folder.
    func requireFolder() throws {
        guard let url = try serviceURL else { return }
        let source = service.url == nil ? "$HEALTHJOURNAL_URL" : "--url"
        throw ValidationError(
            """
            this works on the journal's folder itself, which a service gives nobody: run it on the machine where the \
            journal is, with --journal DIR instead of \(source) (\(ServiceAddress.shown(url)))
            """
        )
    }
}
