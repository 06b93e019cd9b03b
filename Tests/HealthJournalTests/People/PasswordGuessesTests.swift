import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

/// Passwords that are refused because they are guessed early.
@Suite("Passwords that are easy to guess")
struct PasswordGuessesTests {
    @Test(
        "Common passwords, names, and patterns are refused, also with digits and symbols",
        arguments: [
            "password12", "Password123!", "P@ssw0rd2024", "p4ssw0rd!!", "passwordpassword", "drowssap123",
            "qwertyuiop", "qwertz12345", "1234567890", "0987654321", "12341234123", "aaaaaaaaaa", "abababababab",
            "annaannaanna", "anna.keller2026", "Anna-Keller!", "kelleranna1", "owner12345", "healthjournal",
            "Journal2026!", "health-journal1", "welcome2024", "Sommer2026!", "iloveyou123", "letmein123456",
            "1q2w3e4r5t", "19840517 1", "2024-02-16", "0791234567", "abcdefghij", "abcd1234efgh", "asdfghjkl1",
            "motdepasse1", "azertyuiop1", "football99", "!!password!!", "ｐａｓｓｗｏｒｄ１２", "pässwörd123",
            "trustno1trustno1", "PASSWORD1234", "p a s s w o r d", "monkey12345", "111111qqqqqq", "zxcvbnm123",
            "ownerowner1", "renwo12345", "1234567890password", "admin12345!", "Passwort2024",
        ]
    )
    func easy(password: String) {
        #expect(PasswordGuesses.weakness(of: password, names: ["anna.keller", "owner"]) != nil)
    }

    @Test(
        "Words and random characters are accepted, also if a common word or a name is among them",
        arguments: [
            "correct horse", "another horse", "a password of mine", "correct horse battery", "battery staple horse",
            "another long one", "of my choice", "a third horse", "a first password", "mine from now",
            "battery staple", "SodiumChloride", "Gruezi mitenand", "x7$Kp2!mQ9", "7$2!9#8%4x", "Grüezi mitenand",
            "tumble-orchid-46", "annas neues fahrrad", "my password is long", "ownership matters",
            "journalist of 1984 x", "hunter and lake 2",
        ]
    )
    func hard(password: String) {
        #expect(PasswordGuesses.weakness(of: password, names: ["anna.keller", "owner"]) == nil)
    }

    @Test("An account cannot get such a password when it is added, nor later; the message does not repeat it")
    func accounts() async throws {
        let home = try await TestHousehold()
        let anna = try await home.account("anna")
        for password in ["password12", "Anna123456", "0123456789"] {
            let later = await #expect(throws: JournalError.self) {
                try await home.journal.accounts.setPassword(of: anna.account, to: password, home.owner)
            }
            let new = await #expect(throws: JournalError.self) {
                try await home.journal.accounts.addAccount(
                    AccountProfile(name: "annA", kind: .person),
                    password: password,
                    home.owner
                )
            }
            for error in [later, new] {
                #expect(error?.code == .invalid)
                #expect(error?.field == "password")
                #expect(error?.message.contains("a few unrelated words work best") == true)
                #expect(error?.message.contains(password) == false)
            }
        }
        _ = try await home.journal.accounts.setPassword(of: anna.account, to: "correct horse", home.owner)
    }
}
