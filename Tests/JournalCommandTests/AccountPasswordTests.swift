import Interchange
import TestSupport
import Testing

struct AccountPasswordTests {
    @Test func setsAPasswordFromALineOfTheInput() throws {
        let tool = try CommandLineTool()
        try tool.json("account", "add", "anna")
        let before = try tool.position
        let set =
            try tool.run(
                ["account", "password", "anna", "--format", "json"],
                input: Array("correct horse\r\nnot this line\n".utf8)
            )
            .succeeded()
        #expect(try set.json.integer("position") == before + 1)
        #expect(!set.text.contains("horse") && !set.message.contains("horse"))
        // An account may change its own password; at the command line the current one is not required.
        try tool.run(["account", "password", "anna", "--as", "anna"], input: Array("another horse".utf8)).succeeded()
        let stranger = try tool.run(
            ["account", "password", "owner", "--as", "anna"],
            input: Array("a horse of mine\n".utf8)
        )
        #expect(stranger.status == 4)
    }

    @Test(arguments: [
        ("short\n", "10 characters"), ("", "is required"), ("\n", "is required"),
        (String(repeating: "a", count: 1_025) + "\n", "1024 bytes"),
        (String(repeating: "a", count: 10_000) + "\n", "too long"),
    ])
    func refusesWhatIsNoPassword(input: String, why: String) throws {
        let tool = try CommandLineTool()
        let before = try tool.position
        let refused = try tool.run(["account", "password", "owner"], input: Array(input.utf8))
        #expect(refused.status == 1)
        #expect(refused.message.contains(why))
        #expect(try tool.position == before)
    }

    @Test func refusesABrokenText() throws {
        let refused = try CommandLineTool()
            .run(["account", "password", "owner"], input: [0xff, 0xfe] + Array("aaaaaaaaaaa\n".utf8))
        #expect(refused.status == 1)
        #expect(refused.message.contains("UTF-8"))
    }

    @Test func saysThatThereIsNoSuchAccount() throws {
        let refused = try CommandLineTool()
            .run(["account", "password", "nobody"], input: Array("correct horse\n".utf8))
        #expect(refused.status == 2)
    }
}
