import FoundationEssentials
import Testing

@testable import HealthModel

/// Example values that several tests use.
enum Example {
    /// The time 2026-03-04T05:06:07Z.
    static let now = Instant(microseconds: 1_772_600_767_000_000)
    static let today = Day(of: now)
    static let record = id(1)
    static let owner = id(2)
    static let anna = id(3)

    static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    static func stamp(_ position: UInt64) -> Stamp {
        Stamp(position: position, recordedAt: Instant(microseconds: now.microseconds + Int64(position)), actor: owner)
    }

    static func content(_ kind: Kind, date: String? = nil, _ values: [(String, String)]) throws -> EntryContent {
        var content = EntryContent(kind: kind)
        if let date { try content.set("date", text: date) }
        for (name, text) in values { try content.set(name, text: text) }
        return content
    }

    static func weight(_ value: String, unit: String = "kg") throws -> EntryContent {
        try content(Weight.kind, date: "2024-02-16", [("value", value), ("unit", unit)])
    }

    static func profile(_ subject: Subject = .human, _ values: [(String, String)] = []) throws -> RecordProfile {
        var profile = RecordProfile(subject: subject)
        for (name, text) in values { try profile.set(name, text: text) }
        return profile
    }
}

/// Returns the error that the operation was refused with, and records an issue if it was not refused.
func refusal(_ operation: () throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation) -> ModelError? {
    do {
        _ = try operation()
        Issue.record("was not refused", sourceLocation: sourceLocation)
        return nil
    } catch let error as ModelError {
        return error
    } catch {
        Issue.record("refused with \(error)", sourceLocation: sourceLocation)
        return nil
    }
}
