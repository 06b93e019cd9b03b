import TestSupport
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

    @Test("A last column that alone is too wide is broken into lines, if enough space is left for it")
    func brokenColumn() {
        var table = TextTable([.init("WHAT"), .init("STATUS"), .init("DETAIL")])
        table.add(["log", "ok", "167 events, 140 KiB of a map of 1024 GiB, format 1"])
        table.add(["key", "ok", "+AQQJUofS7vOLpVM778Q84R4rcvzlK6QgPVTe5hCU8XL2"])
        table.add(["clock", "ok", ""])
        #expect(
            table.text(TextStyle(hasColor: false, width: 43)) == """
                WHAT   STATUS  DETAIL
                log    ok      167 events, 140 KiB of a map
                                 of 1024 GiB, format 1
                key    ok      +AQQJUofS7vOLpVM778Q84R4rc
                                 vzlK6QgPVTe5hCU8XL2
                clock  ok

                """
        )
        table.add(["recorded times of events", "ok", ""])
        #expect(table.text(TextStyle(hasColor: false, width: 50)).contains("\n    detail: 167 events"))
    }

    @Test("A table that is wider than the terminal has the rest of each row on lines of their own, with titles")
    func narrow() {
        var table = TextTable([.init("POSITION", .right), .init("ACTOR"), .init("WHAT"), .init("REASON")])
        table.add(["7", "owner", "Weight 75.4 kg of Maria Keller", "misread the scale in the dark"])
        table.add(["8", "anna", "Weight 74.5 kg of Maria Keller", ""])
        #expect(
            table.text(TextStyle(hasColor: false, width: 50)) == """
                POSITION  ACTOR  WHAT
                       7  owner  Weight 75.4 kg of Maria Keller
                    reason: misread the scale in the dark
                       8  anna   Weight 74.5 kg of Maria Keller

                """
        )
        #expect(
            table.text(TextStyle(hasColor: false, width: 40)) == """
                POSITION  ACTOR
                       7  owner
                    what: Weight 75.4 kg of Maria Keller
                    reason: misread the scale in the
                      dark
                       8  anna
                    what: Weight 74.5 kg of Maria Keller

                """
        )
        #expect(table.text(TextStyle(hasColor: false, width: 200)) == table.text())
    }

    @Test("No line of a random table is wider than the terminal, and no cell is lost")
    func narrowProperty() {
        var random = SeededGenerator("narrow tables")
        let words = ["a", "Nguyễn", "漢字", "75.4", "🐕", "0123456789abcdef0123456789abcdef0123456789abcdef", "kg", "→"]
        for _ in 0..<500 {
            let count = Int.random(in: 1...8, using: &random)
            var table = TextTable((0..<count).map { .init("T\($0)", Bool.random(using: &random) ? .left : .right) })
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                table.add(
                    (0..<count)
                        .map { column in
                            // The first column is what identifies a row, such as a position or an id.
                            let most = column == 0 ? 1 : 12
                            return (0..<Int.random(in: 0...most, using: &random))
                                .map { _ in words[Int.random(in: 0..<(column == 0 ? 5 : 8), using: &random)] }
                                .joined(separator: " ")
                        }
                )
            }
            let width = Int.random(in: 40...120, using: &random)
            let text = table.text(TextStyle(hasColor: false, width: width))
            for line in text.split(separator: "\n") {
                #expect(TerminalText.width(String(line)) <= width, "HEALTHJOURNAL_SEED=\(random.seed): \(line)")
            }
            let shown = text.filter { !$0.isWhitespace }
            for cell in table.rows.joined() {
                #expect(shown.contains(cell.filter { !$0.isWhitespace }), "HEALTHJOURNAL_SEED=\(random.seed): \(cell)")
            }
        }
    }

    @Test("Tables fit into COLUMNS, else into the terminal; in a pipe, and when asked for, rows are one line")
    func width() {
        #expect(TextStyle(environment: ["COLUMNS": "80"], isTerminal: false).width == 80)
        #expect(TextStyle(environment: ["COLUMNS": "100"], isTerminal: true, columns: 80).width == 100)
        #expect(TextStyle(environment: [:], isTerminal: true, columns: 80).width == 80)
        #expect(TextStyle(environment: [:], isTerminal: false).width == nil)
        #expect(TextStyle(environment: ["COLUMNS": "80"], isTerminal: true, columns: 80, isWide: true).width == nil)
        #expect(TextStyle(environment: ["COLUMNS": "x"], isTerminal: true, columns: 3).width == TextStyle.minimumWidth)
    }
}
