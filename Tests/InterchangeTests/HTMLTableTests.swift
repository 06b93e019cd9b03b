import Testing

@testable import Interchange

@Suite("HTML tables")
struct HTMLTableTests {
    @Test("Markup in the title, notes, columns and cells is escaped, and control characters are replaced")
    func escapesText() {
        var table = HTMLTable(
            title: "<script>alert(1)</script>",
            notes: ["a & b"],
            columns: [.init("\"x\""), .init("n", .right)]
        )
        table.add(["<img src=x onerror='y'>", "1\u{1B}\u{202E}"])
        let page = table.page()
        #expect(!page.contains("<script"))
        #expect(!page.contains("<img"))
        #expect(page.contains("&lt;img src=x onerror=&#39;y&#39;&gt;"))
        #expect(page.contains("<p>a &amp; b</p>"))
        #expect(page.contains("<td class=\"number\">1\u{FFFD}\u{FFFD}</td>"))
        #expect(page.contains("&quot;x&quot;</th>"))
    }

    @Test("A page refers to no other resource, and its content security policy allows none")
    func selfContained() {
        let page = HTMLTable(title: "Trail", columns: [.init("position", .right)]).page()
        #expect(page.hasPrefix("<!doctype html>\n"))
        #expect(page.hasSuffix("</html>\n"))
        for word in ["http:", "https:", "src=", "href=", "<script", "@import", "url("] { #expect(!page.contains(word)) }
        #expect(page.contains("default-src 'none'"))
    }
}
