internal import EventLog
internal import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents
internal import Platform

/// Series of appointments.
extension Journal.Appointments {
    /// Books an appointment and its repetitions in one append: all of them or, with `skipTaken`, those that can be booked.
    ///
    /// Throws the error of the first time that cannot be booked, or with `skipTaken`, if none can. Each one is an
    /// appointment of its own from then on. With `dryRun`, nothing is appended.
    package func bookSeries(
        _ request: AppointmentRequest,
        _ repetition: Repetition,
        skipTaken: Bool,
        dryRun: Bool = false,
        _ caller: Caller
    ) async throws(JournalError) -> BookedSeries {
        guard request.displacing == nil else {
            throw JournalError(.invalid, field: "displacing", "a series cannot take the time of another appointment")
        }
        let decided = Guarded<BookedSeries?>(nil)
        let result = try await journal.once(caller, inTurnOn: turns(of: request)) {
            let admission = try await journal.access.admit(
                caller,
                to: .schedule(.administrate),
                in: request.practice,
                on: request.record
            )
            try await requireFields(of: request, admission, caller)
            var change = try Change(journal, caller)
            var series = BookedSeries(position: try journal.log.head(), booked: [], skipped: [])
            var placed: [PlacedBooking] = []
            var failure: JournalError?
            for wall in repetition.walls(from: admission.clock.wall(of: request.start)) {
                var one = request
                one.start = wall == admission.clock.wall(of: request.start) ? request.start : .wall(wall)
                var extended = change
                do {
                    placed.append(try place(one, after: placed, admission, &extended))
                    change = extended
                } catch {
                    guard let refused = JournalError(seriesError: error, at: wall) else { throw error }
                    guard skipTaken else { throw refused }
                    failure = failure ?? refused
                    series.skipped.append(BookedSeries.Skipped(wall, why: refused.message))
                }
            }
            if placed.isEmpty, let failure { throw failure }
            series.booked = placed.map { BookedSeries.Visit(entry: dryRun ? nil : $0.id, $0.details) }
            if dryRun {
                decided.withLock { $0 = series }
                return .existing(at: series.position, record: request.record)
            }
            let written = try await change.commit(answering: .created(record: request.record))
            // Set only after the commit: if the same request was committed concurrently, this commit fails, and the
            // appointments of that request are returned.
            decided.withLock { $0 = series }
            return written
        }
        if var series = decided.withLock({ $0 }) {
            series.position = result.position
            return series
        }
        return try givenSeries(result, request, repetition)
    }

    /// Returns the answer to a request that was made before.
    private func givenSeries(
        _ result: WriteResult,
        _ request: AppointmentRequest,
        _ repetition: Repetition
    ) throws(JournalError) -> BookedSeries {
        do {
            var booked: [BookedSeries.Visit] = []
            var position = result.version
            while position <= result.position {
                let event = try journal.log.event(at: position)
                // The events of diaries may be sealed under another key.
                if event.header.type == AppointmentBooked.type.rawValue,
                    let data = try journal.log.recorded(event).event.data as? AppointmentBooked
                {
                    booked.append(BookedSeries.Visit(entry: event.header.entry, data.details))
                }
                position += 1
            }
            let clock = try journal.practiceStates.clock(of: journal.practiceStates.practice(request.practice).state)
            let skipped = repetition.walls(from: clock.wall(of: request.start))
                .filter { wall in !booked.contains { $0.wall == wall } }
                .map { BookedSeries.Skipped($0, why: "could not be booked") }
            return BookedSeries(position: result.position, booked: booked, skipped: skipped)
        } catch {
            throw JournalError(error)
        }
    }
}

extension PersonClock {
    /// Returns the clock time of a start.
    fileprivate func wall(of start: AppointmentRequest.Start) -> WallMoment {
        switch start {
        case .instant(let instant): wall(at: instant)
        case .wall(let wall): wall
        }
    }
}

extension JournalError {
    /// The error of one time of a series, which its message names; nil if the error concerns the whole series.
    fileprivate init?(seriesError error: any Error, at wall: WallMoment) {
        let refused = JournalError(error)
        let ofTime: Set = ["start", "specialist", "room", "record"]
        guard [.slotTaken, .conflict, .invalid].contains(refused.code), let field = refused.field,
            ofTime.contains(field), !(error is EventLogError)
        else { return nil }
        self = JournalError(refused.code, field: field, "\(wall): \(field) \(refused.message)")
        (taken, conflicts) = (refused.taken, refused.conflicts)
    }
}
