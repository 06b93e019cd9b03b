internal import CaregiverPermissions
internal import EventLog
internal import JournalCore

// The time zones are in Foundation, not in FoundationEssentials.
internal import Foundation
internal import HealthModel
internal import Interchange
internal import JournalEvents

extension ExportedRecord {
    /// Writes the record as a document of Mango Health with one user.
    ///
    /// For an owner of the record, it contains the settings of their account and the caregivers.
    package func writeMango(to sink: Sink) async throws {
        let writer = try await mangoWriter()
        var json = JSONStream(.pretty)
        json.beginObject()
        json.name("users")
        json.beginObject()
        json.name(writer.user)
        json.beginObject()
        json.add(try journal.exports.mangoOpening(writer, of: answer.state, owner: owner, asOf: position))
        for (name, kind) in MangoWriter.collections where counts[kind, default: 0] > 0 && answer.scope.includes(kind) {
            json.name(name)
            json.beginObject()
            try await forEachPage(of: kind) { page in
                for entry in page {
                    guard let member = writer.document(entry) else { continue }
                    json.add([member])
                    if json.count > ExportedRecord.partLength { try await sink(json.take()) }
                }
            }
            json.end()
        }
        json.end()
        json.end()
        json.end()
        try await sink(json.take() + "\n".utf8)
    }

    private func mangoWriter() async throws -> MangoWriter {
        var doses = MangoDoses()
        if counts[Dose.kind, default: 0] > 0, answer.scope.includes(Dose.kind) {
            try await forEachPage(of: Dose.kind) { page in
                for entry in page where !entry.isRetracted { doses.add(entry.content) }
            }
        }
        return MangoWriter(answer.state, scope: answer.scope, doses: doses) { name in
            name.flatMap(TimeZone.init(identifier:)) ?? journal.zone
        }
    }
}

extension Journal.Exports {
    /// Returns the members of the user before its collections, as of the position of an export.
    ///
    /// `owner` is the owner of the record to whom they are shown; nil for a reader who does not own it.
    func mangoOpening(
        _ writer: MangoWriter,
        of record: RecordState,
        owner: UUID?,
        asOf position: UInt64
    ) throws -> [JSONValue.Member] {
        let added = record.created.recordedAt
        guard let owner, let state = try account(owner, asOf: position) else {
            return writer.opening(nil, createdAt: added, lastLoginAt: nil)
        }
        let grants = try journal.permissions.grants(of: record.id, asOf: position).sorted
        let caregivers = try grants.compactMap { grant -> MangoCaregiver? in
            guard let caregiver = try account(grant.account, asOf: position), caregiver.kind == .person else {
                return nil
            }
            // How caregivers sign in and where they get mail is theirs: an owner sees the ids of the imported document.
            let known = caregiver.identities.values.map(\.identity.subject)
                .first(where: writer.knownCaregivers.contains)
            return MangoCaregiver(
                user: known ?? grant.account.text,
                email: "",
                name: caregiver.details.displayName.isEmpty ? caregiver.name : caregiver.details.displayName,
                grantedAt: grant.given.recordedAt,
                sections: grant.terms.sections,
                isActive: grant.isOpen(on: journal.today),
                notifies: grant.terms.notifies
            )
        }
        return writer.opening(
            MangoAccount(
                details: state.details,
                preferences: state.preferences,
                subscription: state.subscription,
                caregivers: caregivers
            ),
            createdAt: state.added.recordedAt,
            lastLoginAt: state.lastLoginAt
        )
    }

    /// Returns an account as of a position of the log; nil if there was none.
    private func account(_ id: UUID, asOf position: UInt64) throws -> AccountState? {
        var state: AccountState?
        for event in try journal.log.recordedEvents(of: id) where event.stamp.position <= position {
            evolve(&state, event)
        }
        return state
    }
}
