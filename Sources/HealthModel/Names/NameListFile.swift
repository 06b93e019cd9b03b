/// A list of names that an operator loads, such as the products of a country.
///
/// Each line has a name, or `name;synonym,synonym;code`. Lines that are empty or begin with `#` are skipped, and so is a
/// first line with the names of these columns. Nothing is quoted.
package enum NameListFile {
    package static let maximumBytes = 16 << 20
    package static let maximumNames = 100_000

    /// Parses a list; the error names the line.
    package static func parse(_ bytes: [UInt8]) throws(ModelError) -> [Substance] {
        guard bytes.count <= maximumBytes else {
            throw ModelError(.invalid, "a list of names may have at most \(maximumBytes >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ModelError(.invalid, "the list is not UTF-8 text")
        }
        var found: [Substance] = []
        let lines = text.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            if index == 0, line.lowercased().replacing(" ", with: "").hasPrefix(header) { continue }
            guard found.count < maximumNames else {
                throw ModelError(.invalid, "the list has more than \(maximumNames) names")
            }
            found.append(try substance(line, number: index + 1))
        }
        guard !found.isEmpty else { throw ModelError(.invalid, "the list has no names") }
        return found
    }

    private static let header = "name;synonyms"

    private static func substance(_ line: Substring, number: Int) throws(ModelError) -> Substance {
        let field = "line \(number)"
        try TextCheck.check(String(line), field: field, maximum: Limits.line)
        let columns = line.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard columns.count <= 3 else {
            throw ModelError(.invalid, field: field, "write name;synonyms;code, with a comma between synonyms")
        }
        guard !FoldedName(columns[0]).isEmpty else { throw ModelError(.invalid, field: field, "has no name") }
        let synonyms = columns.count > 1 ? columns[1].split(separator: ",").map(trimmed) : []
        let code = columns.count > 2 && !columns[2].isEmpty ? columns[2] : nil
        return Substance(name: columns[0], synonyms: synonyms.filter { !FoldedName($0).isEmpty }, code: code)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
