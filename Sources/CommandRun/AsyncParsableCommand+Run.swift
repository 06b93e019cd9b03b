package import ArgumentParser
internal import Foundation
internal import Platform

extension AsyncParsableCommand {
    /// Runs the command that the process's arguments name.
    ///
    /// Unlike the `main()` of ArgumentParser, this
    /// - takes options in front of the command as well,
    /// - suggests a subcommand for a mistyped name, and a value for a mistyped one,
    /// - refuses an option that takes one value and is given several,
    /// - shows the usage of a command if it finds a usage error while it runs,
    /// - lists the common options last in a help text, and
    /// - fails if the standard output, also that of `--help`, cannot be written.
    package static func runFromArguments() async {
        StandardOutput.prepare()
        var arguments = Array(CommandLine.arguments.dropFirst())
        let path = CommandPath(arguments, of: self)
        if path.asksForHelp, let unknown = path.unknown {
            end(with: .validationFailure, saying: path.hint ?? "There is no command '\(unknown)'.")
        }
        if let name = RepeatedOption.name(in: path) {
            end(refusing: "'\(name)' is given more than once, but takes only one value", path.command)
        }
        var command: any ParsableCommand
        do {
            arguments = path.arguments
            // In a debug build, `parseAsRoot` lists the options of all commands first, for 0.3 s.
            command = try await asyncParseAsRoot(arguments)
        } catch {
            // A request for help is an error of the parser as well, with the status of success.
            if let hint = hint(for: error, path) { report(hint) }
            end(reporting: error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            end(with: .success)
        } catch let error as ValidationError {
            end(refusing: error.message, type(of: command))
        } catch {
            end(reporting: error)
        }
    }

    /// Ends the process for an error, or for a text that was asked for, such as `--help`.
    private static func end(reporting error: any Error) -> Never {
        let text = fullMessage(for: error)
        let code = exitCode(for: error)
        guard code == .success, !text.isEmpty else { end(with: code, saying: text) }
        // A thrown error is kept, and reported in the end.
        try? StandardOutput.write(Array((HelpText.withCommonOptionsLast(text) + "\n").utf8))
        end(with: code)
    }

    /// Ends the process for a usage error of a command.
    private static func end(refusing message: String, _ type: any ParsableCommand.Type) -> Never {
        let usage = usageString(for: type)
        end(
            with: .validationFailure,
            saying: "Error: \(message)\nUsage: \(usage)\n  See '\(path(to: type)) --help' for more information."
        )
    }

    /// What was probably meant by arguments that could not be parsed.
    private static func hint(for error: any Error, _ path: CommandPath) -> String? {
        let message = message(for: error)
        // The words of a command with a default subcommand may be values of that.
        if MistypedValueHint.isOfValue(message) { return MistypedValueHint.text(for: message) }
        if let hint = path.hint { return hint }
        return exitCode(for: error) == .validationFailure ? NegativeNumberHint.text(for: path.arguments) : nil
    }

    private static func end(with code: ExitCode, saying text: String = "") -> Never {
        if !text.isEmpty { report(text) }
        StandardOutput.finish()
        if let error = StandardOutput.takeError() {
            report("\(configuration.commandName ?? ""): \(error)")
            exit(withError: code == .success ? ExitCode.failure : code)
        }
        exit(withError: code)
    }

    private static func report(_ text: String) {
        // There is no other place to report to if the standard error fails; the exit status still tells.
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
