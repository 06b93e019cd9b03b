import Interchange
import TestSupport
import Testing

@Suite("Passwords at the command line")
struct AccountPasswordTests {
    @Test("A password is read from the first line of the input and is not printed")
    func setsPassword() throws {
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
        #expect(!set.text.contains("horse"))
        #expect(!set.message.contains("horse"))
        // An account may change its own password; at the command line the current one is not required.
        try tool.run(["account", "password", "anna", "--as", "anna"], input: Array("another horse".utf8)).succeeded()
        let stranger = try tool.run(
            ["account", "password", "owner", "--as", "anna"],
            input: Array("a horse of mine\n".utf8)
        )
        #expect(stranger.status == 4)
    }

    @Test(
        "An empty, too short or too long password is refused, and no event is stored",
        arguments: [
            ("short\n", "10 characters"), ("", "is required"), ("\n", "is required"),
            (String(repeating: "a", count: 1_025) + "\n", "1024 bytes"),
            (String(repeating: "a", count: 10_000) + "\n", "too long"),
        ]
    )
    func refusesPasswords(input: String, why: String) throws {
        let tool = try CommandLineTool()
        let before = try tool.position
        let refused = try tool.run(["account", "password", "owner"], input: Array(input.utf8))
        #expect(refused.status == 1)
        #expect(refused.message.contains(why))
        #expect(try tool.position == before)
    }

    @Test("A password that is not valid UTF-8 is refused")
    func refusesInvalidUTF8() throws {
        let refused = try CommandLineTool()
            .run(["account", "password", "owner"], input: [0xff, 0xfe] + Array("aaaaaaaaaaa\n".utf8))
        #expect(refused.status == 1)
        #expect(refused.message.contains("UTF-8"))
    }

    @Test("Setting the password of an account that does not exist ends with status 2")
    func missingAccount() throws {
        let refused = try CommandLineTool()
            .run(["account", "password", "nobody"], input: Array("correct horse\n".utf8))
        #expect(refused.status == 2)
    }
}
