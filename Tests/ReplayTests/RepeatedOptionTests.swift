import ArgumentParser
import Testing

@testable import CommandRun
@testable import replay

@Suite("Options of the audit tool that are given twice")
struct RepeatedOptionTests {
    @Test("Each command refuses each option of one value that is given twice, by either of its names")
    func all() {
        var refused = 0
        for command in Replay.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            for option in OptionInfo.list(of: command) where option.kind == .option {
                for (first, second) in zip(option.names, option.names.reversed()) {
                    let path = CommandPath([name, first, "a", second, "b"], of: Replay.self)
                    let found = RepeatedOption.name(in: path)
                    #expect(found == (option.isRepeating ? nil : second), "\(name) \(first) \(second)")
                    refused += found == nil ? 0 : 1
                }
            }
        }
        #expect(refused > 20)
    }
}
