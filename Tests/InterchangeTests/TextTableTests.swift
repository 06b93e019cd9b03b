import Testing

@testable import Interchange

@Suite("Text tables")
struct TextTableTests {
    @Test(
        "The width of a text is the number of terminal columns that it takes",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("Nguyễn", 6), ("漢字", 4), ("ｶﾅ", 2), ("한국", 4), ("🐕", 2),
            ("👩‍👩‍👧", 2), ("❤️", 2), ("a\u{200B}b", 2), ("ไทย", 3), ("Ａ", 2),
        ]
    )
    func measuresColumns(_ text: String, _ width: Int) {
        #expect(TerminalText.width(text) == width)
    }

    @Test("Cells are aligned by their width on a terminal")
    func alignsColumns() {
        var table = TextTable([.init("name"), .init("weight", .right), .init("note")])
        table.add(["漢字", "75.5", "a"])
        table.add(["Åsa", "8", ""])
        table.add(["e\u{301}", "120.25"])
        #expect(
            table.text() == """
                name  weight  note
                漢字    75.5  a
                Åsa        8
                e\u{301}     120.25

                """
        )
    }

    @Test("Control characters and line breaks in a cell are escaped")
    func escapesControlCharacters() {
        var table = TextTable([.init("name"), .init("x")])
        table.add(["a\u{1B}[2Jb\nc\u{202E}d\u{9B}31m\r", "1"])
        let text = table.text(.plain)
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isUnsafe($0) })
        #expect(text.contains(#"a\u{1b}[2Jb\nc\u{202e}d\u{9b}31m\r"#))
    }

    @Test("Headers are dimmed on a terminal, except with NO_COLOR or on a dumb terminal")
    func dimsHeaders() {
        let table = TextTable([.init("a")])
        #expect(table.text(.color) == "\u{1B}[2ma\u{1B}[0m\n")
        #expect(table.text(.plain) == "a\n")
        #expect(TextStyle(environment: [:], isTerminal: true) == .color)
        #expect(TextStyle(environment: [:], isTerminal: false) == .plain)
        #expect(TextStyle(environment: ["NO_COLOR": "1"], isTerminal: true) == .plain)
        #expect(TextStyle(environment: ["NO_COLOR": ""], isTerminal: true) == .color)
        #expect(TextStyle(environment: ["TERM": "dumb"], isTerminal: true) == .plain)
    }
}
