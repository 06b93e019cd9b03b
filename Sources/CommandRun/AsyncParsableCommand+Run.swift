package import ArgumentParser
internal import Foundation

extension AsyncParsableCommand {
    /// Runs the command that the process's arguments name.
    ///
    /// Unlike the `main()` of ArgumentParser, this suggests a subcommand for a mistyped name, and a usage error that is
    /// found while a command runs shows the usage of that command.
    package static func runFromArguments() async {
        var command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let hint = SubcommandHint.text(for: arguments, of: self)
            // A request for help is an error of the parser as well, with the status of success.
            let isUsage = exitCode(for: error) == .validationFailure
            if let hint = hint ?? (isUsage ? NegativeNumberHint.text(for: arguments) : nil) { report(hint) }
            exit(withError: error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            let type = type(of: command)
            report(
                "Error: \(error.message)\n\(usageString(for: type))\n  See '\(path(to: type)) --help' for more information."
            )
            exit(withError: ExitCode.validationFailure)
        } catch {
            exit(withError: error)
        }
    }

    private static func report(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// The command as it is typed, such as `healthjournal caregiver grant`.
    private static func path(to type: any ParsableCommand.Type) -> String {
        func path(_ from: any ParsableCommand.Type) -> [String]? {
            let name = from.configuration.commandName ?? ""
            if from == type { return [name] }
            return from.configuration.subcommands.lazy.compactMap(path).first.map { [name] + $0 }
        }
        return (path(self) ?? [configuration.commandName ?? ""]).joined(separator: " ")
    }
}
