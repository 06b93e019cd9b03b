import CommandRun

extension HealthJournalCommand {
    static func main() async { await runFromArguments() }
}
