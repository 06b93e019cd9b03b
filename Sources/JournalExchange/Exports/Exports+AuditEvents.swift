internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension Journal.Exports {
    /// Returns the grants of a record as resources.
    package func consentsFHIR(
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [JSONValue] {
        let grants = try await journal.sharing.grants(of: record, asOf: moment, caller)
        let day = if let moment { try journal.trail.day(asOf: moment) } else { journal.today }
        return grants.map { FHIRTrail.consent($0, of: record, on: day, name: journal.accounts.name(of: $0.account)) }
    }

    /// Returns a page of the accesses to a record as resources, and the position at which it ends; nil for the last page.
    ///
    /// `last` is the position of the first page, so that the reads of the pages themselves are on none of them.
    package func auditEventsFHIR(
        of record: UUID,
        asOf moment: AsOf? = nil,
        after position: UInt64,
        through last: UInt64? = nil,
        limit: Int,
        _ caller: Caller
    ) async throws(JournalError) -> (resources: [(JSONValue, Instant)], end: UInt64?, last: UInt64) {
        let head: UInt64
        do { head = try journal.log.position(asOf: moment) } catch { throw JournalError(error) }
        let last = min(last ?? head, head)
        let events = try await journal.trail.accesses(of: record, page: Page(after: position, limit: limit), caller)
        let resources = events.filter { $0.stamp.position <= last }
            .compactMap { event in auditEvent(event, of: record).map { ($0, event.stamp.recordedAt) } }
        let isLast = events.count < limit || events.last.map { $0.stamp.position >= last } ?? true
        return (resources, isLast ? nil : events.last?.stamp.position, last)
    }

    /// Returns an access to a record, or a refusal, as a resource; nil for another event.
    func auditEvent(_ event: RecordedEvent, of record: UUID) -> JSONValue? {
        let access: Access
        var count = 1
        switch event.event.data {
        case let data as any AccessEvent: access = data.access
        case let data as AccessSummarised:
            access = Access(action: data.refusals.action, sections: data.refusals.sections)
            count = data.refusals.count
        default: return nil
        }
        return FHIRTrail.auditEvent(
            access,
            isRefusal: event.event.data is AccessDenied || event.event.data is AccessSummarised,
            count: count,
            of: record,
            event.stamp,
            name: journal.accounts.name(of: event.stamp.actor)
        )
    }

    /// Returns who made each version of an entry, with the proof of its event.
    package func provenancesFHIR(
        of entry: UUID,
        as type: String?,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> [JSONValue] {
        try await journal.retrying {
            let last = try journal.log.position(asOf: moment)
            let events: [RecordedEvent]
            do {
                events = try await journal.trail.history(ofEntry: entry, caller)
            } catch let error as JournalError where error.code == .refused {
                throw JournalError.noEntry
            }
            guard let place = try journal.entries.place(ofEntry: entry), let kind = Kind.coded(place.kind),
                case .admitted(let admission) = try journal.access.decideAdmission(
                    caller,
                    .readingHistory([kind], by: caller),
                    on: place.record
                )
            else { throw JournalError.noEntry }
            var former: UInt64?
            var resources: [JSONValue] = []
            for event in events where event.stamp.position <= last {
                guard let state = try journal.contents(admission).entry(entry, asOf: event.stamp.position),
                    let found = FHIRTypes.type(of: state.content), type ?? found == found
                else { throw JournalError.noEntry }
                resources.append(
                    FHIRTrail.provenance(
                        former == nil ? .create : state.isRetracted ? .delete : .update,
                        of: entry,
                        as: found,
                        event,
                        after: former,
                        name: journal.accounts.name(of: event.stamp.actor),
                        proof: try journal.log.proof(of: event.stamp.position).text
                    )
                )
                former = event.stamp.position
            }
            return resources
        }
    }
}
