import Foundation
import HealthJournal
import HealthModel
import TestSupport
import Testing

@testable import JournalCore

@Suite("What everybody may do with an animal's record, by registration, consent, custody, and whether it is closed")
struct PatientTableTests {
    private enum Asker: Hashable, CaseIterable {
        case veterinarian, nurse, receptionist, manager, owner, foreignVeterinarian

        var role: ClinicRole? {
            switch self {
            case .veterinarian: .veterinarian
            case .nurse: .nurse
            case .receptionist: .receptionist
            case .manager: .manager
            case .owner, .foreignVeterinarian: nil
            }
        }
    }

    private enum Consent: CaseIterable { case none, given, withdrawn }

    private enum Deed: CaseIterable { case book, queue, triage, read, readPast, add }

    private enum Outcome { case done, refused, conflict }

    /// A record in one state of the table.
    private struct Cell {
        let isKept: Bool
        let registration: RegistrationStatus?
        let consent: Consent
        let isClosed: Bool

        private static let every: [Cell] = {
            var cells: [Cell] = []
            let statuses: [RegistrationStatus?] = [nil, .requested, .accepted, .ended]
            for isKept in [false, true] {
                for registration in statuses {
                    for consent in Consent.allCases {
                        for isClosed in [false, true] {
                            cells.append(
                                Cell(isKept: isKept, registration: registration, consent: consent, isClosed: isClosed)
                            )
                        }
                    }
                }
            }
            return cells
        }()

        static let all =
            every
            // A practice is registered at once for the records that it keeps; nobody there gives access or closes them.
            .filter { cell in
                !cell.isKept
                    || (cell.registration == .accepted || cell.registration == .ended) && cell.consent == .none
                        && !cell.isClosed
            }

        /// The table.
        func outcome(_ deed: Deed, by asker: Asker) -> Outcome {
            let isOwner = asker == .owner && !isKept
            switch deed {
            case .book, .queue, .triage:
                let isDesk = asker.role != nil && (deed != .triage || asker != .manager)
                guard isDesk || isOwner && deed != .triage else { return .refused }
                return registration == .accepted && !isClosed ? .done : .conflict
            case .read, .readPast, .add:
                let treats = asker.role?.isClinical == true && (consent == .given || isKept)
                guard isOwner || treats else { return .refused }
                return deed == .add && isClosed ? .conflict : .done
            }
        }
    }

    @Test("The journal does what the table says, in every cell")
    func table() async throws {
        let clinic = try await TestPractice()
        let (journal, owner, desk) = (clinic.journal, clinic.client, try clinic.caller(.receptionist))
        let foreign = try await clinic.home.account("Foreign")
        let other = try #require(
            try await journal.practices
                .createPractice(
                    TestPractice.profile([("name", "Elsewhere"), ("zone", "Europe/Zurich")]),
                    foreign
                )
                .id
        )
        let roles = Membership(roles: Set(ClinicRole.allCases))
        _ = try await journal.practices.changeMembers(of: other, .grant(account: foreign.account, roles), foreign)
        let wish: WaitProfile = try TestPractice.profile([("service", clinic.checkUp.text)])
        var cells = 0
        for cell in Cell.all {
            let dog = try await record(cell, clinic)
            var asked = try clinic.request("2027-03-04T09:00")
            asked.record = dog
            let request = asked
            for asker in Asker.allCases {
                let caller = try asker.role.map { try clinic.caller($0) } ?? (asker == .owner ? owner : foreign)
                for deed in Deed.allCases {
                    let past = ReadOptions(asOf: .position(try clinic.home.head), kinds: [Weight.kind])
                    let error = await refusal {
                        switch deed {
                        case .book: _ = try await journal.appointments.book(request, dryRun: true, caller)
                        case .queue: _ = try await journal.clients.addWait(wish, of: dog, at: clinic.practice, caller)
                        case .triage:
                            let arrived = TriageRequest(practice: clinic.practice, record: dog)
                            _ = try await journal.triage.beginTriage(arrived, caller)
                        case .read: _ = try await journal.records.read(dog, ReadOptions(kinds: [Weight.kind]), caller)
                        case .readPast: _ = try await journal.records.read(dog, past, caller)
                        case .add:
                            let weight = try entry("weight", ["value": "12", "unit": "kg"])
                            _ = try await journal.entries.addEntry(weight, to: dog, caller)
                        }
                    }
                    // An animal that is on the board already is no question of access.
                    let isOnBoard = error?.message.hasPrefix("the animal is on the board already") == true
                    let found: Outcome =
                        error == nil || isOnBoard ? .done : error?.code == .refused ? .refused : .conflict
                    #expect(
                        found == cell.outcome(deed, by: asker),
                        "\(deed) by \(asker) in \(cell): \(error?.description ?? "")"
                    )
                    cells += 1
                }
            }
            // Whether a request stays one is not for the practice to say.
            let status = try await journal.patients.registrations(of: dog, cell.isKept ? desk : owner)
                .first { $0.practice == clinic.practice }?
                .state.status
            #expect(status == cell.registration, "\(cell)")
        }
        print("deeds on records of animals: \(cells) cells")
    }

    private func record(_ cell: Cell, _ clinic: TestPractice) async throws -> UUID {
        let (journal, owner, desk) = (clinic.journal, clinic.client, try clinic.caller(.receptionist))
        let practice = clinic.practice
        var profile = RecordProfile(subject: .animal)
        try profile.set("name", text: "Rex")
        guard !cell.isKept else {
            let dog = try #require(
                try await journal.patients.createPatient(NewPatient(profile), at: practice, desk).record
            )
            if cell.registration == .ended {
                _ = try await journal.patients.endRegistration(of: dog, at: practice, desk)
            }
            return dog
        }
        let dog = try #require(try await journal.records.createRecord(profile, owner).record)
        switch cell.registration {
        case .requested: _ = try await journal.patients.registerPatient(dog, at: practice, desk)
        case .accepted, .ended: _ = try await journal.patients.registerPatient(dog, at: practice, owner)
        case nil: break
        }
        if cell.registration == .ended { _ = try await journal.patients.endRegistration(of: dog, at: practice, owner) }
        if cell.consent != .none { _ = try await journal.sharing.grant(.ofPractice, to: practice, on: dog, owner) }
        if cell.consent == .withdrawn { _ = try await journal.sharing.revoke(practice, on: dog, owner) }
        if cell.isClosed { _ = try await journal.records.closeRecord(dog, owner) }
        return dog
    }
}
