internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCare
internal import JournalClinic
package import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import PracticeDirectory

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

/// What a calendar feed shows.
package enum CalendarSource: Hashable, Sendable {
    /// The planned doses of a record and, if an owner of the record reads them as events, the patient's appointments.
    case doses(of: UUID)
    /// The appointments of a specialist at a practice.
    case appointments(of: UUID, at: UUID)

    /// The record or the specialist.
    var subject: UUID {
        switch self {
        case .doses(let record): record
        case .appointments(let specialist, _): specialist
        }
    }

    fileprivate init(_ link: CalendarLink, of subject: UUID) {
        self = link.practice.map { .appointments(of: subject, at: $0) } ?? .doses(of: subject)
    }
}

extension Journal.Reminders {
    /// Gives planned doses or appointments a secret address, under which any program can fetch them as a calendar.
    ///
    /// Each fetch is decided, and recorded if it shows anything new, as a read of the account that linked the calendar. The
    /// caller confirms the
    /// request with the `current` password of their account, if it has one.
    package func linkCalendar(
        to source: CalendarSource,
        showsNames: Bool = false,
        times: CalendarLink.Times = .utc,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> NewCalendar {
        do {
            // The address works like a token of the account.
            try await journal.access.admit(caller, to: .account(.issueToken, .own))
            try await admitCalendar(source, caller)
            try await journal.accounts.confirm(caller, current, creatingAccessUntil: nil)
        } catch {
            throw JournalError(error)
        }
        return try await journal.retrying {
            try await admitCalendar(source, caller)
            let secret = journal.accounts.secret(.calendar, bits: 128, for: caller)
            if let given = try journal.eventGiven(to: caller),
                let link = (given.event.data as? CalendarLinked)?.calendar
            {
                try journal.accounts.requireRepeatable(secret, digest: link.digest, given: given.stamp)
                return NewCalendar(secret: secret.text, id: link.id, position: given.stamp.position)
            }
            let subject = source.subject
            let subjectVersion = try journal.log.version(of: subject)
            let stream = try journal.calendarStream(of: subject)
            let version = try journal.log.version(of: stream)
            var link = CalendarLink(
                id: UUID.timeOrdered(at: journal.log.now()),
                digest: secret.digest,
                account: caller.account,
                showsNames: showsNames,
                times: times
            )
            var isClosed = false
            switch source {
            case .doses(let record):
                isClosed = try journal.medicalRecords.header(of: record, asOf: journal.log.head())?.isClosed ?? false
            case .appointments(_, let practice): (link.feed, link.practice) = (.appointments, practice)
            }
            var change = try Change(journal, caller)
            try change.add(
                decide(.link(link), journal.sharing.calendarLinks(of: subject), isClosed: isClosed),
                in: .stream(stream, of: subject),
                expecting: .exact(version)
            )
            change.expect(subject, .exact(subjectVersion))
            try journal.claimOnce(.claim(holder: subject), on: .calendar, link.digest.hex, field: "secret", &change)
            let written = try await change.commit(answering: .created())
            return NewCalendar(secret: secret.text, id: link.id, position: written.version)
        }
    }

    /// Authorizes a caller to read what a calendar shows, or throws.
    private func admitCalendar(_ source: CalendarSource, _ caller: Caller) async throws {
        switch source {
        case .doses(let record):
            _ = try await journal.access.admit(caller, to: .read(Journal.Care.careKinds, .calendar), on: record)
        case .appointments(let specialist, let practice):
            _ = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
            try requireSpecialist(specialist, of: practice)
        }
    }

    private func requireSpecialist(_ specialist: UUID, of practice: UUID) throws {
        guard try journal.practiceDirectory.specialists(of: practice, asOf: journal.log.head()).contains(specialist)
        else {
            throw JournalError(ModelError.noSpecialist)
        }
    }

    /// Unlinks a calendar, so that its address no longer works.
    ///
    /// The account that linked it may do that, and the owners of the record or the managers of the practice.
    package func unlinkCalendar(
        _ id: UUID,
        of source: CalendarSource,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: .account(.manageCredentials, .own))
            if try journal.sharing.calendarLinks(of: source.subject)[id]?.calendar.account != caller.account {
                switch source {
                case .doses(let record): _ = try await journal.access.admit(caller, to: .revoke, on: record)
                case .appointments(_, let practice):
                    _ = try await journal.access.admit(caller, to: .manage, in: practice)
                    // A manager ends the feeds of the own practice alone.
                    guard try journal.sharing.calendarLinks(of: source.subject)[id]?.calendar.practice == practice
                    else {
                        throw JournalError(.notFound, field: "calendar", "there is no such calendar")
                    }
                }
            }
            var change = try Change(journal, caller)
            try journal.sharing.unlinkCalendar(id, of: source.subject, &change)
            let result = try await change.commit()
            let record: UUID? = if case .doses(let record) = source { record } else { nil }
            return WriteResult(
                position: try result?.last ?? journal.log.head(),
                record: record,
                id: record == nil ? id : nil,
                isChanged: result != nil
            )
        }
    }

    /// Returns the calendars of a record or a specialist: all of them for the owners of the record or the managers of
    /// the practice, otherwise those that the caller linked.
    package func calendars(
        of source: CalendarSource,
        _ caller: Caller
    ) async throws(JournalError) -> [CalendarLinkState] {
        try await journal.retrying {
            switch source {
            case .appointments(let specialist, let practice):
                let admission = try await journal.access.admit(caller, to: .seeCalendar, in: practice)
                try requireSpecialist(specialist, of: practice)
                return try journal.sharing.calendarLinks(of: specialist).calendars
                    .filter {
                        $0.calendar.practice == practice
                            && (admission.roles.contains(.manager) || $0.calendar.account == caller.account)
                    }
            case .doses(let record):
                let admission: Admission
                var isWhole = false
                if case .admitted(let admitted) = try journal.access.decideAdmission(
                    caller,
                    .audit(.calendar),
                    on: record
                ) {
                    (admission, isWhole) = (admitted, true)
                } else {
                    admission = try await journal.access.admit(
                        caller,
                        to: .read(Journal.Care.careKinds, .calendar),
                        on: record
                    )
                }
                let found = try journal.sharing.calendarLinks(of: record).calendars
                try await journal.access.trace(caller, admission, Shown(sections: []))
                return found.filter { isWhole || $0.calendar.account == caller.account }
            }
        }
    }

    /// Returns the calendar of the planned doses of a record and, to an owner, of the appointments of the patient.
    package func calendar(
        of record: UUID,
        _ options: CalendarOptions,
        _ caller: Caller
    ) async throws(JournalError) -> ICalendar {
        try await journal.retrying {
            let (calendar, read) = try await calendar(of: record, options, admitting: caller)
            try await journal.access.trace(caller, read)
            return calendar
        }
    }

    /// Returns the calendar at a secret address; nil if the client has it already.
    ///
    /// `isKnown` says whether the client has a calendar. Such a fetch shows nothing, and is not recorded. The error is
    /// the same, whatever the reason why an address does not work.
    package func calendar(
        atSecret secret: String,
        components: ICalendarComponent.Kind,
        unless isKnown: (ICalendar) -> Bool = { _ in false }
    ) async throws(JournalError) -> ICalendar? {
        try await journal.retrying {
            let digest = Secret.digest(of: secret)
            guard let subject = try holder(ofCalendar: digest),
                let link = try journal.sharing.calendarLinks(of: subject).linked
                    .first(where: { $0.calendar.digest == digest })?
                    .calendar,
                let account = try? journal.accounts.account(link.account)
            else { throw JournalError.noCalendar }
            let caller = Caller(
                account: account.id,
                name: account.name,
                kind: account.kind,
                scope: .read,
                source: .http
            )
            do {
                let (calendar, reads): (ICalendar, [TracedRead])
                switch CalendarSource(link, of: subject) {
                case .doses(let record):
                    let options = CalendarOptions(
                        showsNames: link.showsNames,
                        times: link.times,
                        components: components
                    )
                    (calendar, reads) = try await self.calendar(of: record, options, admitting: caller)
                case .appointments(let specialist, let practice):
                    (calendar, reads) = try await journal.practices.calendar(
                        of: specialist,
                        at: practice,
                        showsNames: link.showsNames,
                        admitting: caller
                    )
                }
                if isKnown(calendar) { return nil }
                try await journal.access.trace(caller, reads)
                return calendar
            } catch let error as JournalError where [.refused, .notFound, .erased].contains(error.code) {
                throw JournalError.noCalendar
            }
        }
    }

    private func calendar(
        of record: UUID,
        _ options: CalendarOptions,
        admitting caller: Caller
    ) async throws -> (ICalendar, [TracedRead]) {
        let admission = try await journal.access.admit(caller, to: .read(Journal.Care.careKinds, .calendar), on: record)
        let care = try journal.care.careState(of: record, asOf: journal.log.head())
        var calendar = try calendar(of: care, options)
        var visits: [ICalendarComponent] = []
        // A list of tasks has no appointments.
        if options.components == .event, admission.right == .owner,
            Gate.refusal(of: .seePatient, by: caller, roles: [], isClient: true) == nil
        {
            visits = try journal.appointments.appointmentEvents(
                of: record,
                showsNames: options.showsNames,
                asOf: care.position
            )
            calendar.components += visits
        }
        let shown = Shown(
            sections: Set(Journal.Care.careKinds.map(\.section)),
            entryCount: care.plans.count,
            version: care.position,
            entries: Journal.Care.careKinds.map(\.code).sorted().map { ShownEntries(kind: $0) }
        )
        let read = TracedRead(
            record: record,
            action: .calendar,
            right: admission.right,
            shown: shown,
            stream: admission.access?.accessStream
        )
        if visits.isEmpty { return (calendar, [read]) }
        let seen = Shown(sections: [], entryCount: visits.count, version: care.position)
        return (
            calendar,
            [read, TracedRead(record: record, action: .appointments, right: admission.right, shown: seen)]
        )
    }

    private func holder(ofCalendar digest: [UInt8]) throws -> UUID? {
        var claim = ClaimState()
        for event in try journal.log.recordedEvents(of: journal.claim(.calendar, digest.hex)) { evolve(&claim, event) }
        // An erased record has no calendar.
        return try claim.holder.flatMap { try journal.erasure.tombstone(of: $0) == nil ? $0 : nil }
    }
}

extension JournalError {
    /// The error for the address of a calendar that is unknown, unlinked, of an erased record or no longer permitted.
    package static let noCalendar = JournalError(.notFound, "there is no calendar at this address")
}
