internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalEvents
internal import MedicalRecords

/// A new calendar feed, with the secret that is shown only once.
package struct NewCalendar: Hashable, Sendable {
    package let secret: String
    package let id: UUID
    package let position: UInt64

    package init(secret: String, id: UUID, position: UInt64) {
        self.secret = secret
        self.id = id
        self.position = position
    }

    /// The path at which a service answers the feed.
    package var path: String { "/calendar/\(secret).ics" }
}

/// What a calendar of planned doses shows.
package struct CalendarOptions: Hashable, Sendable {
    package var showsNames: Bool
    package var times: CalendarLink.Times
    package var components: ICalendarComponent.Kind

    package init(
        showsNames: Bool = false,
        times: CalendarLink.Times = .utc,
        components: ICalendarComponent.Kind = .event
    ) {
        self.showsNames = showsNames
        self.times = times
        self.components = components
    }
}

extension Journal {
    /// Gives the planned doses of a record a secret address, under which any program can fetch them as a calendar.
    ///
    /// Each fetch is decided and recorded as a read of the account that linked the calendar. The caller confirms the
    /// request with the `current` password of their account, if it has one.
    package func linkCalendar(
        to record: UUID,
        showsNames: Bool = false,
        times: CalendarLink.Times = .utc,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> NewCalendar {
        do {
            // The address works like a token of the account.
            try await admit(caller, to: .account(.issueToken, .own))
            _ = try await admit(caller, to: .read(Journal.careKinds, .calendar), on: record)
            try await confirm(caller, current, creatingAccessUntil: nil)
        } catch {
            throw JournalError(error)
        }
        return try await retrying {
            _ = try await admit(caller, to: .read(Journal.careKinds, .calendar), on: record)
            let secret = secret(.calendar, bits: 128, for: caller)
            if let given = try eventGiven(to: caller), let link = (given.event.data as? CalendarLinked)?.calendar {
                try requireRepeatable(secret, digest: link.digest, given: given.stamp)
                return NewCalendar(secret: secret.text, id: link.id, position: given.stamp.position)
            }
            let recordVersion = try log.version(of: record)
            let stream = try calendarStream(of: record)
            let version = try log.version(of: stream)
            let link = CalendarLink(
                id: UUID.timeOrdered(at: log.now()),
                digest: secret.digest,
                account: caller.account,
                showsNames: showsNames,
                times: times
            )
            let isClosed = try records.header(of: record, asOf: log.head())?.isClosed ?? false
            var change = try Change(self, caller)
            for event in try decide(.link(link), calendarLinks(of: record), isClosed: isClosed) {
                try change.add(event, stream: stream, subject: record, expecting: .exact(version))
            }
            change.expect(record, .exact(recordVersion))
            try claimOnce(.claim(holder: record), on: .calendar, link.digest.hex, field: "secret", &change)
            guard let result = try await change.commit() else {
                throw JournalError(.failed, "there is nothing to append")
            }
            return NewCalendar(secret: secret.text, id: link.id, position: result.first)
        }
    }

    /// Unlinks a calendar, so that its address no longer works.
    ///
    /// The account that linked it and the owners of the record may do that.
    package func unlinkCalendar(
        _ id: UUID,
        of record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await admit(caller, to: .account(.manageCredentials, .own))
            if try calendarLinks(of: record)[id]?.calendar.account != caller.account {
                _ = try await admit(caller, to: .revoke, on: record)
            }
            var change = try Change(self, caller)
            try unlink(id, of: record, &change)
            let result = try await change.commit()
            return WriteResult(position: try result?.last ?? log.head(), record: record, isChanged: result != nil)
        }
    }

    /// Adds the events that unlink a calendar; none if it is unlinked already.
    func unlink(_ id: UUID, of record: UUID, _ change: inout Change) throws {
        let stream = try calendarStream(of: record)
        let version = try log.version(of: stream)
        let state = try calendarLinks(of: record)
        let events = try decide(.unlink(id), state)
        for event in events { try change.add(event, stream: stream, subject: record, expecting: .exact(version)) }
        if !events.isEmpty, let digest = state[id]?.calendar.digest {
            try claimOnce(.release(holder: record), on: .calendar, digest.hex, field: "calendar", &change)
        }
    }

    /// Returns the calendars of a record: all of them for its owners, otherwise those that the caller linked.
    package func calendars(of record: UUID, _ caller: Caller) async throws(JournalError) -> [CalendarLinkState] {
        try await retrying {
            let admission: Admission
            var isWhole = false
            if case .admitted(let admitted) = try decideAdmission(caller, .audit(.calendar), on: record) {
                (admission, isWhole) = (admitted, true)
            } else {
                admission = try await admit(caller, to: .read(Journal.careKinds, .calendar), on: record)
            }
            let found = try calendarLinks(of: record).calendars
                .filter { isWhole || $0.calendar.account == caller.account }
            try await trace(caller, admission, Shown(sections: []))
            return found
        }
    }

    /// Returns the calendar of the planned doses of a record.
    package func calendar(
        of record: UUID,
        _ options: CalendarOptions,
        _ caller: Caller
    ) async throws(JournalError) -> ICalendar {
        try await retrying { try await calendar(of: record, options, admitting: caller) }
    }

    /// Returns the calendar at a secret address.
    ///
    /// The error is the same, whatever the reason why an address does not work.
    package func calendar(
        atSecret secret: String,
        components: ICalendarComponent.Kind
    ) async throws(JournalError) -> ICalendar {
        try await retrying {
            let digest = Secret.digest(of: secret)
            guard let record = try holder(ofCalendar: digest),
                let link = try calendarLinks(of: record).linked.first(where: { $0.calendar.digest == digest })?
                    .calendar,
                let account = try? account(link.account)
            else { throw JournalError.noCalendar }
            let caller = Caller(
                account: account.id,
                name: account.name,
                kind: account.kind,
                scope: .read,
                source: .http
            )
            let options = CalendarOptions(showsNames: link.showsNames, times: link.times, components: components)
            do {
                return try await calendar(of: record, options, admitting: caller)
            } catch let error as JournalError where [.refused, .notFound, .erased].contains(error.code) {
                throw JournalError.noCalendar
            }
        }
    }

    private func calendar(
        of record: UUID,
        _ options: CalendarOptions,
        admitting caller: Caller
    ) async throws -> ICalendar {
        let admission = try await admit(caller, to: .read(Journal.careKinds, .calendar), on: record)
        let care = try careState(of: record, asOf: log.head())
        let calendar = try calendar(of: care, options)
        let shown = Shown(
            sections: Set(Journal.careKinds.map(\.section)),
            entryCount: care.plans.count,
            version: care.position,
            entries: Journal.careKinds.map(\.code).sorted().map { ShownEntries(kind: $0) }
        )
        try await trace(caller, admission, shown)
        return calendar
    }

    func calendarLinks(of record: UUID) throws -> CalendarLinksState {
        var state = CalendarLinksState()
        for event in try log.recordedEvents(of: calendarStream(of: record)) { evolve(&state, event) }
        return state
    }

    private func holder(ofCalendar digest: [UInt8]) throws -> UUID? {
        var claim = ClaimState()
        for event in try log.recordedEvents(of: self.claim(.calendar, digest.hex)) { evolve(&claim, event) }
        // An erased record has no calendar.
        return try claim.holder.flatMap { try tombstone(of: $0) == nil ? $0 : nil }
    }
}

extension JournalError {
    /// The error for the address of a calendar that is unknown, unlinked, of an erased record or no longer permitted.
    package static let noCalendar = JournalError(.notFound, "there is no calendar at this address")
}
