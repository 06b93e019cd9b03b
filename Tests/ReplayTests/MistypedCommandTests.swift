import TestSupport
import Testing

@Suite("Mistyped commands")
struct MistypedCommandTests {
    @Test(
        "A mistyped subcommand is answered with a suggestion",
        arguments: [("trial", "trail"), ("verfiy", "verify"), ("asof", "as-of")]
    )
    func subcommands(_ typed: String, _ meant: String) async throws {
        let answer = try Tool(await Household.withHistory()).run(typed)
        #expect(answer.status == 64)
        #expect(answer.message.contains("Did you mean 'healthjournal-replay \(meant)'?"), "\(answer.message)")
    }

    @Test("A subcommand that resembles none gets no suggestion")
    func nothingAlike() async throws {
        let answer = try Tool(await Household.withHistory()).run("xylophone")
        #expect(answer.status == 64)
        #expect(!answer.message.contains("Did you mean"))
    }
}
