import Foundation
import HealthModel
import RandomCare
import TestSupport

@testable import Interchange

/// Generates records with random values in their fields.
enum RandomRecord {
    static func state(_ generator: inout SeededGenerator) -> RecordState {
        let subject: Subject = Bool.random(using: &generator) ? .human : .animal
        var profile = RecordProfile(subject: subject)
        profile.values = values(RecordProfile.fields(for: subject), &generator, all: false)
        if Bool.random(using: &generator) { profile.extra = [Extra(name: "mood", json: #"{"a":[1.0,"x"]}"#)] }
        let stamp = Stamp(position: 3, recordedAt: Instant(microseconds: 1_771_000_000_000_001), actor: id(&generator))
        var state = RecordState(id: id(&generator), profile: profile, owners: [], created: stamp)
        for kind in Kind.all {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                state.entries.append(
                    EntryState(id: id(&generator), record: state.id, content: content(kind, &generator), added: stamp)
                )
            }
        }
        return state
    }

    private static func content(_ kind: Kind, _ generator: inout SeededGenerator) -> EntryContent {
        var content = EntryContent(kind: kind, body: values(kind.fields, &generator, all: false))
        if kind == Document.kind {
            content.body[Document.content] = nil
            content.body[Document.missing] = .flag(true)
        }
        switch Int.random(in: 0...5, using: &generator) {
        case 3: content.date = .date(.month(year: .random(in: 1_950...2_030, using: &generator), month: 5))
        case 4: content.date = .date(.year(.random(in: 1_950...2_030, using: &generator)))
        case 0: content.date = .day(Day(daysSince1970: .random(in: -20_000...20_000, using: &generator)))
        case 1:
            content.date = .instant(
                Instant(microseconds: .random(in: -1_000_000_000_000_000...1_700_000_000_000_000, using: &generator))
            )
        default: break
        }
        generator.makeConsistent(&content)
        content.comment = Bool.random(using: &generator) ? text(&generator) : ""
        content.voiceEntryUsed = Bool.random(using: &generator)
        if Bool.random(using: &generator) { content.extra = [Extra(name: "x-unknown", json: "[1.50,null]")] }
        return content
    }

    private static func values(_ fields: [Field], _ generator: inout SeededGenerator, all: Bool) -> FieldValues {
        var values = FieldValues()
        for field in fields where all || field.isRequired || Bool.random(using: &generator) {
            values[field] = value(field, &generator)
        }
        return values
    }

    private static func value(_ field: Field, _ generator: inout SeededGenerator) -> FieldValue {
        value(field.type, field.format, &generator)
    }

    private static func value(
        _ type: FieldType,
        _ format: TextFormat,
        _ generator: inout SeededGenerator
    ) -> FieldValue {
        switch type {
        case .text where format == .currency:
            .text(["EUR", "CHF", "USD"].randomElement(using: &generator) ?? "EUR")
        case .text where format == .digest: .text(String(repeating: "a", count: 64))
        case .text: .text(text(&generator))
        case .decimal:
            .decimal(
                ExactDecimal(
                    coefficient: .random(in: 0...99_999, using: &generator),
                    scale: .random(in: 0...4, using: &generator)
                )
            )
        case .integer(let range): .integer(.random(in: range, using: &generator))
        case .flag: .flag(Bool.random(using: &generator))
        case .day: .day(Day(daysSince1970: .random(in: -20_000...20_000, using: &generator)))
        case .dayOrPeriod:
            [
                .day(Day(daysSince1970: .random(in: -20_000...20_000, using: &generator))), .text("1951"),
                .text("1951-03"),
            ]
            .randomElement(using: &generator) ?? .text("1951")
        case .choice(let words): .text(words.randomElement(using: &generator) ?? words[0])
        case .instant: .instant(Instant(microseconds: .random(in: 0...2_000_000_000_000_000, using: &generator)))
        case .wallTime: .text(["08:00", "23:59"].randomElement(using: &generator) ?? "08:00")
        case .wallMoment: .text(["2026-05-04", "2026-05-04T12:00"].randomElement(using: &generator) ?? "2026-05-04")
        case .partialDate: .text(["2010", "2010-05", "2010-05-04"].randomElement(using: &generator) ?? "2010")
        case .zone: .text("Europe/Berlin")
        case .id, .entry: .id(UUID.random(using: &generator))
        case .bytes: .bytes((0..<4).map { _ in .random(in: 0...255, using: &generator) })
        case .group(let fields): .group(values(fields, &generator, all: true))
        case .list(let element, _): .list((0..<2).map { _ in value(element, .any, &generator) })
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let words = [
            "a", "Nguyễn", "漢字", "🐕", "\"q\"", "back\\slash", "line\nbreak", "=1+1", "null", "{}", " ", ",", "\u{202E}",
        ]
        return (0..<Int.random(in: 1...4, using: &generator))
            .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
    }

    private static func id(_ generator: inout SeededGenerator) -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return UUID(bytes: bytes) ?? UUID()
    }
}
