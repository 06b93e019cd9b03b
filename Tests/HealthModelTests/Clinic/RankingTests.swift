import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The ranking of specialists: each line, each reason to leave somebody out, and the ties.
@Suite("Ranking")
struct RankingTests {
    private static let surgery = RankingRequest.Specialty(name: "soft tissue", category: "surgery")
    private static let orthopaedics = RankingRequest.Specialty(name: "orthopaedics", category: "surgery")
    private static let dermatology = RankingRequest.Specialty(name: "dermatology", category: "medicine")

    private static func candidate(_ edit: (inout RankingCandidate) -> Void = { _ in }) -> RankingCandidate {
        var candidate = RankingCandidate(id: UUID())
        (candidate.waitMinutes, candidate.availableMinutes) = (0, 480)
        edit(&candidate)
        return candidate
    }

    /// The points of one line of a candidate who is alone.
    private static func points(
        _ code: RankingLine.Code,
        _ request: RankingRequest,
        _ edit: (inout RankingCandidate) -> Void = { _ in }
    ) -> Int? {
        request.rank([candidate(edit)]).ranked.first?.lines.first { $0.code == code }?.points
    }

    private static let green = RankingRequest(level: .green)

    @Test("The lines have a fixed order, and 100 points in all")
    func lines() throws {
        let ranked = try #require(Self.green.rank([Self.candidate()]).ranked.first)
        #expect(ranked.lines.map(\.code.rawValue) == ["specialty", "soonest", "species", "known", "wish", "load"])
        #expect(ranked.lines.map(\.of) == [40, 20, 15, 10, 5, 10])
        #expect(ranked.lines.map(\.points) == [20, 20, 8, 0, 0, 10])
        #expect(ranked.points == 58)
        #expect(ranked.lines.allSatisfy { !$0.because.isEmpty })
        let asked = RankingRequest(level: .green, specialty: Self.surgery, species: .cat)
        let best = Self.candidate {
            $0.expertise = [.init(Self.surgery, .expert)]
            ($0.preferredSpecies, $0.hadLastAppointment) = ([.cat], true)
        }
        var wished = asked
        wished.wished = best.id
        #expect(wished.rank([best]).ranked.first?.points == 100)
        #expect(asked.rank([best]).ranked.first?.points == 95)
    }

    @Test("A specialty counts by proficiency; if nobody has it, another of its category counts half")
    func specialties() {
        let asked = RankingRequest(level: .green, specialty: Self.surgery)
        for (proficiency, own) in [
            (RankingCandidate.Proficiency.basic, 10), (.intermediate, 20), (.advanced, 30), (.expert, 40),
        ] {
            #expect(Self.points(.specialty, asked) { $0.expertise = [.init(Self.surgery, proficiency)] } == own)
            let half = Self.points(.specialty, asked) { $0.expertise = [.init(Self.orthopaedics, proficiency)] }
            #expect(half == own / 2)
            #expect(Self.points(.specialty, asked) { $0.expertise = [.init(Self.dermatology, proficiency)] } == 0)
            #expect(Self.points(.specialty, Self.green) { $0.expertise = [.init(Self.surgery, proficiency)] } == 20)
        }
        let several = Self.points(.specialty, asked) {
            $0.expertise = [.init(Self.orthopaedics, .expert), .init(Self.surgery, .basic)]
        }
        #expect(several == 10)
    }

    @Test(
        "The sooner, the more points, within the time of the level",
        arguments: [(UrgencyLevel.red, 60), (.orange, 60), (.yellow, 240), (.green, 20_160), (.blue, 20_160)]
    )
    func soonest(level: UrgencyLevel, window: Int) {
        let request = RankingRequest(level: level)
        func points(_ wait: Int?) -> Int? { Self.points(.soonest, request) { $0.waitMinutes = wait } }
        #expect(points(0) == 20)
        #expect(points(1) == 19)
        #expect(points(window / 2) == 10)
        #expect(points(window) == 0)
        #expect(points(window / 20) == 19)
        #expect(points(window / 20 + 1) == 18)
        #expect(points(window - 1) == 0)
        #expect(points(window + 1) == nil)
        #expect(points(nil) == nil)
        let late = Self.candidate { $0.waitMinutes = window + 1 }
        #expect(request.rank([late]).leftOut == [.init(specialist: late.id, reasons: [.nothingFree])])
    }

    @Test("Species, acquaintance and wish")
    func otherLines() {
        let cat = RankingRequest(level: .green, species: .cat, wished: UUID())
        #expect(Self.points(.species, cat) { $0.preferredSpecies = [.cat, .dog] } == 15)
        #expect(Self.points(.species, cat) { $0.preferredSpecies = [.dog] } == 8)
        #expect(Self.points(.species, Self.green) { $0.preferredSpecies = [.dog] } == 8)
        #expect(Self.points(.known, cat) { ($0.hadLastAppointment, $0.daysSinceSeen) = (true, 900) } == 10)
        for (days, points) in [(0, 5), (364, 5), (365, 5), (366, 0)] {
            #expect(Self.points(.known, cat) { $0.daysSinceSeen = days } == points, "\(days)")
        }
        #expect(Self.points(.known, cat) == 0)
        #expect(Self.points(.wish, cat) == 0)
    }

    @Test("Load counts the share of the day that is free, cut to whole points")
    func load() {
        for (booked, available, points) in [
            (0, 480, 10), (1, 480, 9), (48, 480, 9), (49, 480, 8), (240, 480, 5), (479, 480, 0), (480, 480, 0),
            (600, 480, 0), (0, 0, 0), (30, 0, 0), (1, 3, 6),
        ] {
            let found = Self.points(.load, Self.green) { ($0.bookedMinutes, $0.availableMinutes) = (booked, available) }
            #expect(found == points, "\(booked) of \(available)")
        }
    }

    @Test("Each reason to leave a specialist out, alone and together")
    func leftOut() {
        let request = RankingRequest(level: .yellow, species: .rabbit)
        func reasons(_ edit: (inout RankingCandidate) -> Void) -> [SpecialistRanking.Reason] {
            let ranking = request.rank([Self.candidate(edit)])
            #expect(ranking.ranked.count + ranking.leftOut.count == 1)
            return ranking.leftOut.first?.reasons ?? []
        }
        #expect(reasons { $0.hasEnded = true } == [.ended])
        #expect(reasons { $0.isLicenceExpired = true } == [.licenceExpired])
        #expect(reasons { $0.isOfPractice = false } == [.notOfPractice])
        #expect(reasons { $0.neverSpecies = [.rabbit] } == [.neverThisSpecies])
        #expect(reasons { $0.neverSpecies = [.horse] }.isEmpty)
        #expect(reasons { $0.isOverCaseload = true } == [.overCaseload])
        #expect(reasons { $0.waitMinutes = nil } == [.nothingFree])
        let all = reasons {
            ($0.hasEnded, $0.isLicenceExpired, $0.isOfPractice, $0.isOverCaseload) = (true, true, false, true)
            ($0.neverSpecies, $0.waitMinutes) = ([.rabbit], nil)
        }
        #expect(all == SpecialistRanking.Reason.allCases.dropLast())
    }

    @Test("The caseload does not count at the levels 1 and 2", arguments: UrgencyLevel.allCases)
    func caseload(level: UrgencyLevel) {
        let ranking = RankingRequest(level: level).rank([Self.candidate { $0.isOverCaseload = true }])
        #expect(ranking.ranked.isEmpty == (level.rawValue > 2))
    }

    @Test("Who lacks the specialty is left out only while somebody who can be offered has it")
    func specialtyLacking() {
        let asked = RankingRequest(level: .green, specialty: Self.surgery)
        let holder = Self.candidate { $0.expertise = [.init(Self.surgery, .basic)] }
        let other = Self.candidate { $0.expertise = [.init(Self.orthopaedics, .expert)] }
        let ranking = asked.rank([other, holder])
        #expect(ranking.ranked.map(\.specialist) == [holder.id])
        #expect(ranking.leftOut == [.init(specialist: other.id, reasons: [.specialtyLacking])])
        var absent = holder
        absent.waitMinutes = nil
        let without = asked.rank([other, absent])
        #expect(without.ranked.map(\.specialist) == [other.id])
        #expect(without.ranked.first?.lines.first?.points == 20)
        #expect(without.leftOut == [.init(specialist: absent.id, reasons: [.nothingFree])])
    }

    @Test("Equal points: the earlier slot, then fewer booked minutes, then the lower id")
    func ties() throws {
        // One minute of 20,160 costs a point; the next thousand cost none.
        let early = Self.candidate { ($0.waitMinutes, $0.bookedMinutes) = (10, 20) }
        let late = Self.candidate { ($0.waitMinutes, $0.bookedMinutes) = (11, 10) }
        let busy = Self.candidate { ($0.waitMinutes, $0.bookedMinutes) = (10, 30) }
        let ranking = Self.green.rank([late, busy, early])
        #expect(Set(ranking.ranked.map(\.points)).count == 1)
        #expect(ranking.ranked.map(\.specialist) == [early.id, busy.id, late.id])
        let twins = (0..<10).map { _ in Self.candidate() }
        let sorted = twins.map(\.id).sorted { $0.uuidString < $1.uuidString }
        #expect(Self.green.rank(twins).ranked.map(\.specialist) == sorted)
    }
}
