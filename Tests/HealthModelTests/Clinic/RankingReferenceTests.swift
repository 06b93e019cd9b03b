import Foundation
import TestSupport
import Testing

@testable import HealthModel

/// The ranking of random candidates against an implementation of its own, which counts up instead of dividing.
@Suite("Ranking reference")
struct RankingReferenceTests {
    private static let specialties = (0..<4)
        .map { RankingRequest.Specialty(name: "specialty \($0)", category: $0 < 2 ? "surgery" : "other \($0)") }

    private static func request(_ random: inout SeededGenerator, _ candidates: [RankingCandidate]) throws
        -> RankingRequest
    {
        RankingRequest(
            level: try random.pick(UrgencyLevel.allCases),
            specialty: random.below(4) == 0 ? nil : try random.pick(specialties),
            species: random.below(4) == 0 ? nil : try random.pick(SpeciesCode.allCases),
            wished: random.bool() ? candidates.randomElement(using: &random)?.id : nil
        )
    }

    private static func candidate(_ random: inout SeededGenerator) throws -> RankingCandidate {
        var candidate = RankingCandidate(id: random.id())
        candidate.hasEnded = random.below(12) == 0
        candidate.isLicenceExpired = random.below(12) == 0
        candidate.isOfPractice = random.below(12) != 0
        candidate.isOverCaseload = random.below(6) == 0
        candidate.expertise = try (0..<random.below(3))
            .map { _ in
                .init(try random.pick(specialties), try random.pick(RankingCandidate.Proficiency.allCases))
            }
        candidate.preferredSpecies = Set(SpeciesCode.allCases.filter { _ in random.below(3) == 0 })
        candidate.neverSpecies = Set(SpeciesCode.allCases.filter { _ in random.below(8) == 0 })
        let waits = try random.pick([1, 70, 300, 21_000])
        candidate.waitMinutes = random.below(8) == 0 ? nil : random.below(waits)
        candidate.availableMinutes = try random.pick([0, 60, 240, 480])
        candidate.bookedMinutes = random.below(6) * 50
        candidate.hadLastAppointment = random.below(5) == 0
        candidate.daysSinceSeen = random.bool() ? random.below(500) : nil
        return candidate
    }

    @Test("Points, lines, order and reasons are those of the reference, whatever order the candidates come in")
    func reference() throws {
        try checkProperty("ranking against a reference", times: 2_000) { random, comment in
            var candidates = try (0..<random.below(8)).map { _ in try Self.candidate(&random) }
            let request = try Self.request(&random, candidates)
            let ranking = request.rank(candidates)
            let expected = ReferenceRanking(request, candidates)
            #expect(ranking.ranked.map(\.specialist) == expected.order, comment)
            #expect(ranking.ranked.map { $0.lines.map(\.points) } == expected.lines, comment)
            #expect(ranking.ranked.map(\.points) == expected.lines.map { $0.reduce(0, +) }, comment)
            let leftOut = Dictionary(
                uniqueKeysWithValues: ranking.leftOut.map { ($0.specialist, Set($0.reasons.map(\.rawValue))) }
            )
            #expect(leftOut == expected.leftOut, comment)
            #expect(ranking.leftOut.allSatisfy { !$0.reasons.isEmpty }, comment)
            candidates.shuffle(using: &random)
            #expect(request.rank(candidates) == ranking, comment)
        }
    }
}

/// A slow ranking, written from the document and not from the product.
private struct ReferenceRanking {
    var order: [UUID] = []
    var lines: [[Int]] = []
    var leftOut: [UUID: Set<String>] = [:]

    init(_ request: RankingRequest, _ candidates: [RankingCandidate]) {
        let level = request.level.rawValue
        let time = level <= 2 ? 60 : level == 3 ? 240 : 14 * 24 * 60
        for one in candidates {
            var why: Set<String> = []
            if one.hasEnded { why.insert("ended") }
            if one.isLicenceExpired { why.insert("licenceExpired") }
            if !one.isOfPractice { why.insert("notOfPractice") }
            for species in one.neverSpecies where species == request.species { why.insert("neverThisSpecies") }
            if level > 2 && one.isOverCaseload { why.insert("overCaseload") }
            if one.waitMinutes ?? time + 1 > time { why.insert("nothingFree") }
            if !why.isEmpty { leftOut[one.id] = why }
        }
        func grade(_ one: RankingCandidate, _ isMeant: (RankingRequest.Specialty) -> Bool) -> Int {
            var best = 0
            for expertise in one.expertise where isMeant(expertise.specialty) {
                best = max(
                    best,
                    ["basic": 10, "intermediate": 20, "advanced": 30][expertise.proficiency.rawValue] ?? 40
                )
            }
            return best
        }
        func isAsked(_ specialty: RankingRequest.Specialty) -> Bool { specialty.name == request.specialty?.name }
        var left = candidates.filter { leftOut[$0.id] == nil }
        let holders = left.filter { grade($0, isAsked) > 0 }
        if !holders.isEmpty {
            for one in left where grade(one, isAsked) == 0 { leftOut[one.id] = ["specialtyLacking"] }
            left = holders
        }
        var rows: [(key: [Int], id: UUID, points: [Int])] = []
        for one in left {
            let wait = one.waitMinutes ?? 0
            var points = [0, 0, 8, 0, 0, 0]
            if let specialty = request.specialty {
                let related = grade(one) { $0.category == specialty.category }
                points[0] = holders.isEmpty ? related / 2 : grade(one, isAsked)
            } else {
                points[0] = 20
            }
            // The most points whose share of the time is still free.
            while (points[1] + 1) * time <= 20 * (time - wait) { points[1] += 1 }
            for species in one.preferredSpecies where species == request.species { points[2] = 15 }
            if one.daysSinceSeen ?? 366 <= 365 { points[3] = 5 }
            if one.hadLastAppointment { points[3] = 10 }
            if request.wished == one.id { points[4] = 5 }
            let (booked, available) = (one.bookedMinutes, one.availableMinutes)
            while available > 0 && (points[5] + 1) * available <= 10 * (available - booked) { points[5] += 1 }
            rows.append(([-points.reduce(0, +), wait, booked], one.id, points))
        }
        rows.sort { first, second in
            first.key == second.key
                ? first.id.uuidString < second.id.uuidString : first.key.lexicographicallyPrecedes(second.key)
        }
        order = rows.map(\.id)
        lines = rows.map(\.points)
    }
}
