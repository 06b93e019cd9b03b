internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents

/// Times in which rooms and devices cannot be used, such as for a repair.
extension Journal.Appointments {
    /// The maximum number of UTC days that one blocked time touches, and how many days are searched for them.
    private static let maximumBlockedDays = 32
    private static let searchedDays = 400

    /// Blocks a time of a room; the same request again changes nothing.
    ///
    /// Throws `conflict` if an appointment uses the room at that time: it must be moved first. An absence of a specialist
    /// is different, because it cannot be refused.
    package func blockRoom(
        _ block: BlockedTime,
        _ place: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .schedule(.administrate), in: practice)
            guard let room = admission.practice.places[place], room.ended == nil else {
                throw JournalError(ModelError.noPlace)
            }
            guard block.span.days.all.count <= Self.maximumBlockedDays, block.span.end > journal.now
            else {
                throw JournalError(
                    .invalid,
                    field: "until",
                    "must be in the future, and at most \(Self.maximumBlockedDays - 1) days after the start"
                )
            }
            guard block.span.end < journal.now.adding(minutes: Self.searchedDays * 1_440) else {
                throw JournalError(
                    .invalid,
                    field: "until",
                    "must be in the next \(Self.searchedDays) days"
                )
            }
            let known = try blockedTimes(of: place).first { $0.id == block.id }
            guard try known.map({ $0.span == block.span }) ?? (journal.log.version(of: block.id) == 0) else {
                throw JournalError(
                    .conflict,
                    field: "block",
                    "the id is in use for another time, or for something else"
                )
            }
            for day in block.span.days.all {
                let diary = try diary(of: .place(place), on: day)
                if let taken = diary.state.taken[block.id], taken.isBlocked, taken.span == block.span { continue }
                let others = diary.state.times(at: journal.now, besides: block.id)
                    .filter { !$0.isBlocked && $0.span.overlaps(block.span) }
                guard others.isEmpty else {
                    throw JournalError(
                        .conflict,
                        field: "room",
                        "has appointments then: move them first, or give them another room"
                    )
                }
                try change.add(
                    JournalEvent(SlotBlocked(block: block.id, from: block.span.start, to: block.span.end)),
                    in: .stream(diaryStream(of: .place(place), on: day), of: practice),
                    isOfItsSubject: false,
                    expecting: .exact(diary.version)
                )
            }
            change.expect(practice, .exact(admission.version))
            return .existing(at: try journal.log.head(), id: block.id)
        }
    }

    /// Makes a blocked time of a room free again.
    package func unblockRoom(
        _ block: UUID,
        _ place: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            let admission = try await journal.access.admit(caller, to: .schedule(.administrate), in: practice)
            guard admission.practice.places[place] != nil else { throw JournalError(ModelError.noPlace) }
            guard let found = try blockedTimes(of: place).first(where: { $0.id == block }) else {
                throw JournalError(.notFound, field: "block", "the room has no such blocked time")
            }
            for day in found.span.days.all {
                let diary = try diary(of: .place(place), on: day)
                guard diary.state.taken[block]?.isBlocked == true else { continue }
                try change.add(
                    JournalEvent(SlotFreed(appointment: block)),
                    in: .stream(diaryStream(of: .place(place), on: day), of: practice),
                    isOfItsSubject: false,
                    expecting: .exact(diary.version)
                )
            }
            return .existing(at: try journal.log.head(), id: block)
        }
    }

    /// Returns the blocked times of a room that are not over, the earliest one first.
    package func blockedTimes(
        of place: UUID,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> [BlockedTime] {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            guard admission.practice.places[place] != nil else { throw JournalError(ModelError.noPlace) }
            return try blockedTimes(of: place)
        }
    }

    private func blockedTimes(of place: UUID) throws -> [BlockedTime] {
        let now = journal.now
        let first = Day(of: now)
        var found: [UUID: BlockedTime] = [:]
        for day in (first...first.adding(days: Self.searchedDays)).all {
            for (id, taken) in try diary(of: .place(place), on: day).state.taken
            where taken.isBlocked && taken.span.end > now {
                found[id] = BlockedTime(id: id, span: taken.span)
            }
        }
        return found.values.sorted { ($0.span.start, $0.id.text) < ($1.span.start, $1.id.text) }
    }
}
