import HealthModel
import Platform

/// The lines of an address book, divided into cards.
struct VCardLines {
    /// The longest card without its files, in bytes.
    fileprivate static let maximumCardBytes = 256 << 10
    fileprivate static let leftOut: Set<String> = ["PHOTO", "LOGO", "SOUND", "KEY", "PRODID"]

    /// The lines of a card as they are in the file.
    struct Card {
        fileprivate var lines: [[UInt8]] = []
        /// Whether the lines that continue one in quoted-printable are indented.
        fileprivate var isIndented = false
        fileprivate var hasEnd = false

        fileprivate var endsWithAgent: Bool {
            let last = lines.last { !$0.isEmpty } ?? []
            return String(decoding: last.prefix(64), as: UTF8.self).uppercased().hasPrefix("AGENT")
        }
    }

    private(set) var cards: [Card] = []

    /// Throws if the file has too many cards.
    init(_ bytes: [UInt8]) throws(ModelError) {
        let isIndented = Self.indentsContinuations(bytes)
        var (card, depth) = (Card(isIndented: isIndented), 0)
        for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = part.last == 0x0D ? part.dropLast() : part
            let mark = Self.mark(line)
            if mark == "BEGIN:VCARD" {
                // Only the card of a person's agent is within another card; any other one has lost its end.
                if depth > 0, !card.endsWithAgent {
                    try add(card)
                    card = Card(isIndented: isIndented)
                    depth = 0
                }
                depth += 1
                if depth == 1 { continue }
            }
            if mark == "END:VCARD", depth > 0 {
                depth -= 1
                if depth == 0 {
                    card.hasEnd = true
                    try add(card)
                    card = Card(isIndented: isIndented)
                    continue
                }
            }
            if depth > 0 { card.lines.append(Array(line)) }
        }
        if depth > 0 { try add(card) }
    }

    private mutating func add(_ card: Card) throws(ModelError) {
        cards.append(card)
        guard cards.count <= VCardDocument.maximumCards else {
            throw ModelError(.invalid, "has more than \(VCardDocument.maximumCards) cards: split the file")
        }
    }

    private static func mark(_ line: ArraySlice<UInt8>) -> String {
        guard line.count < 64, let first = line.first, "BEbe".utf8.contains(first) else { return "" }
        return String(decoding: line, as: UTF8.self).uppercased().filter { $0 != " " }
    }

    /// Whether the lines after one that ends with `=` begin with white space that is no part of the text.
    ///
    /// In quoted-printable, it is a part. But some programs fold such lines as well: then all of them are indented, and at
    /// least one of them goes on in the middle of a character or with an encoded one.
    private static func indentsContinuations(_ bytes: [UInt8]) -> Bool {
        let (space, tab, equals) = (UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "="))
        var isFound = false
        var (isQuoted, continues) = (false, false)
        for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = part.last == 0x0D ? part.dropLast() : part
            if continues {
                guard let first = line.first, first == space || first == tab else { return false }
                isFound = isFound || line.dropFirst().first == equals
            } else {
                isQuoted = isQuotedPrintable(line)
            }
            continues = isQuoted && line.last == equals
        }
        return isFound
    }

    fileprivate static func isQuotedPrintable(_ line: some Collection<UInt8>) -> Bool {
        let head = line.prefix(1_000).prefix { $0 != UInt8(ascii: ":") }
        return String(decoding: head, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }
}

extension VCardLines.Card {
    /// The lines without their folds, as text; those of files and of what an address book says of itself are left out.
    ///
    /// Each line is decoded by itself: by the encoding that it names, as UTF-8, or else as Windows has it in western Europe.
    /// Throws if the card has no end or is too long, or if a line is not in the encoding that it names.
    func decoded() throws(ModelError) -> [String] {
        guard hasEnd else { throw ModelError(.invalid, "has no end") }
        var (texts, length) = ([String](), 0)
        for line in unfolded where !VCardLines.leftOut.contains(VCardProperty.name(of: line)) {
            length += line.count
            guard length <= VCardLines.maximumCardBytes else {
                throw ModelError(
                    .invalid,
                    "is longer than \(VCardLines.maximumCardBytes >> 10) KiB, without its pictures"
                )
            }
            texts.append(try VCardProperty.text(of: line))
        }
        return texts
    }

    /// vCard 2.1 folds a line before white space that is a part of the text; later versions add white space.
    private var isVersion2: Bool {
        lines.contains {
            $0.count < 20 && String(decoding: $0, as: UTF8.self).uppercased().filter { $0 != " " } == "VERSION:2.1"
        }
    }

    private var unfolded: [[UInt8]] {
        let isVersion2 = isVersion2
        var joined: [[UInt8]] = []
        // Whether the last line is in quoted-printable, in which a line that ends with `=` goes on.
        var isQuotedPrintable = false
        for line in lines {
            if isQuotedPrintable, let last = joined.last, last.last == UInt8(ascii: "=") {
                joined[joined.count - 1].removeLast()
                joined[joined.count - 1] += isIndented ? line.dropFirst() : line[...]
            } else if let first = line.first, first == 0x20 || first == 0x09, !joined.isEmpty {
                joined[joined.count - 1] += isVersion2 ? line[...] : line.dropFirst()
            } else {
                joined.append(line)
                isQuotedPrintable = VCardLines.isQuotedPrintable(line)
            }
        }
        return joined.filter { !$0.isEmpty }
    }
}
