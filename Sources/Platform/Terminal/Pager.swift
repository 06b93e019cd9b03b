internal import Glibc

/// A program that shows long texts page by page, such as `less`, with a pipe to it.
@safe package final class Pager {
    private var stream: UnsafeMutablePointer<FILE>?
    /// Where the text is written.
    package let descriptor: Int32
    /// What an interrupt did before.
    private let interrupt: __sighandler_t?

    /// Starts the pager for a text of so many lines, if it does not fit on the terminal of a descriptor.
    ///
    /// Returns nil if it fits, if the descriptor is no terminal, or if no pager is to be used. The pager is the command in
    /// `PAGER`, and `less` if that is not set; an empty `PAGER` means none.
    package init?(for lines: Int, on terminal: Int32) {
        guard isatty(terminal) == 1, let rows = TerminalSize(of: terminal)?.rows, rows > 0, lines >= rows,
            let command = Pager.command
        else { return nil }
        // Quits if the text fits, shows colours, and leaves the text on the screen.
        unsafe setenv("LESS", "FRX", 0)
        // Search terms typed in the pager may be health data, so it must not store them in its history file.
        unsafe setenv("LESSHISTFILE", "-", 1)
        // When the user quits the pager early, the pipe is closed; SIGPIPE must not end this process.
        signal(SIGPIPE, SIG_IGN)
        guard let stream = unsafe popen(command, "w") else { return nil }
        unsafe self.stream = stream
        descriptor = unsafe fileno(stream)
        // The pager handles Ctrl-C. If this process ended first, the pager and the shell would both read the terminal.
        interrupt = signal(SIGINT, SIG_IGN)
    }

    deinit { finish() }

    /// Waits until the person has read the text.
    package func finish() {
        guard let stream = unsafe stream else { return }
        unsafe self.stream = nil
        unsafe pclose(stream)
        signal(SIGINT, interrupt)
    }

    private static var command: String? {
        if let named = variable("PAGER") { return named.isEmpty ? nil : named }
        let folders = (variable("PATH") ?? "").split(separator: ":")
        let hasLess = folders.contains { unsafe access("\($0)/less", X_OK) == 0 }
        return hasLess ? "less" : nil
    }

    private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
