import FoundationEssentials
import SwiftProtobuf

extension Access {
    var stored: StoredAccess {
        var stored = StoredAccess()
        stored.action = action.rawValue
        stored.sections = sections.map(\.stored)
        stored.entryCount = UInt64(clamping: entryCount)
        if let asOf { stored.asOf = asOf }
        if let happenedBy { stored.happenedBy = happenedBy.daysSince1970 }
        switch grantedBy {
        case .owner: stored.owner = true
        case .grant(let position): stored.grantPosition = position
        case .emergency(let position): stored.emergencyPosition = position
        case .role(let kind): stored.role = kind.stored
        case .practice(let id): stored.practice = Data(id.bytes)
        case nil: break
        }
        stored.purpose = purpose
        if let version { stored.version = version }
        stored.shown = shown.flatMap { run in
            [UInt64(run.kind)] + (run.added.map { [$0.lowerBound, $0.upperBound - $0.lowerBound] } ?? [0, 0])
        }
        stored.includesRetracted = includesRetracted
        if let events { stored.events = [events.lowerBound, events.upperBound - events.lowerBound] }
        return stored
    }

    private static func practice(stored bytes: Data) throws(ModelError) -> UUID {
        guard let id = UUID(bytes: bytes) else {
            throw ModelError(.invalid, field: "practice", "is not stored as sixteen bytes")
        }
        return id
    }

    init(stored: StoredAccess) throws(ModelError) {
        let action = try AccessAction(stored: stored.action)
        let right: AccessRight? =
            switch stored.grantedBy {
            case .owner: .owner
            case .grantPosition(let position): .grant(position: position)
            case .emergencyPosition(let position): .emergency(position: position)
            case .role(let kind): .role(try AccountKind(stored: kind))
            case .practice(let bytes): .practice(try Access.practice(stored: bytes))
            case nil: nil
            }
        self.init(
            action: action,
            sections: try Section.all(stored: stored.sections),
            entryCount: Int(clamping: stored.entryCount),
            asOf: stored.hasAsOf ? stored.asOf : nil,
            happenedBy: stored.hasHappenedBy ? Day(daysSince1970: stored.happenedBy) : nil,
            grantedBy: right,
            purpose: stored.purpose,
            version: stored.hasVersion ? stored.version : nil,
            shown: try ShownEntries.all(stored: stored.shown),
            includesRetracted: stored.includesRetracted,
            events: try ClosedRange(stored: stored.events, field: "events")
        )
    }
}

extension AccessAction {
    fileprivate init(stored: String) throws(ModelError) {
        guard let action = AccessAction(rawValue: stored) else {
            throw ModelError(
                .invalid,
                field: "action",
                "this program does not know the action; a newer one may have written it"
            )
        }
        self = action
    }
}

extension ShownEntries {
    fileprivate static func all(stored: [UInt64]) throws(ModelError) -> [ShownEntries] {
        guard stored.count % 3 == 0 else { throw ModelError(.invalid, field: "shown", "must be in groups of three") }
        var all: [ShownEntries] = []
        for index in stride(from: 0, to: stored.count, by: 3) {
            guard let kind = UInt16(exactly: stored[index]) else {
                throw ModelError(.invalid, field: "shown", "names an invalid kind")
            }
            let isWhole = stored[index + 1] == 0
            let added = try isWhole ? nil : ClosedRange(stored: stored[(index + 1)...(index + 2)], field: "shown")
            all.append(ShownEntries(kind: kind, added: added))
        }
        return all
    }
}

extension ClosedRange<UInt64> {
    /// Creates a range from its first position and the distance to its last one; nil if `stored` is empty.
    fileprivate init?(stored: some RandomAccessCollection<UInt64>, field: String) throws(ModelError) {
        guard let first = stored.first, let length = stored.last else { return nil }
        let (last, isOver) = first.addingReportingOverflow(length)
        guard stored.count == 2, !isOver else { throw ModelError(.invalid, field: field, "is not a position range") }
        self = first...last
    }
}
