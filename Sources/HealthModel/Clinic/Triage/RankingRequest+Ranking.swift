/// The rule by which specialists are ranked for a case.
extension RankingRequest {
    /// Ranks specialists, each of whom is given once; the order in which they are given has no effect.
    ///
    /// A specialist without the specialty that is asked for is left out if another one has it who is not left out for
    /// another reason. If no specialist has it, another specialty of its category counts half.
    package func rank(_ candidates: [RankingCandidate]) -> SpecialistRanking {
        var offered: [(candidate: RankingCandidate, wait: Int)] = []
        var leftOut: [SpecialistRanking.LeftOut] = []
        for candidate in candidates {
            let reasons = reasonsToLeaveOut(candidate)
            if reasons.isEmpty, let wait = candidate.waitMinutes {
                offered.append((candidate, wait))
            } else {
                leftOut.append(SpecialistRanking.LeftOut(specialist: candidate.id, reasons: reasons))
            }
        }
        let isHeld = offered.contains { proficiency(of: $0.candidate) != nil }
        var ranked: [RankedSpecialist] = []
        for (candidate, wait) in offered {
            if isHeld, proficiency(of: candidate) == nil {
                leftOut.append(SpecialistRanking.LeftOut(specialist: candidate.id, reasons: [.specialtyLacking]))
            } else {
                ranked.append(
                    RankedSpecialist(
                        specialist: candidate.id,
                        lines: lines(candidate, wait: wait),
                        waitMinutes: wait,
                        bookedMinutes: candidate.bookedMinutes
                    )
                )
            }
        }
        return SpecialistRanking(
            ranked: ranked.sorted(),
            leftOut: leftOut.sorted { $0.specialist.text < $1.specialist.text }
        )
    }

    /// Returns all reasons that do not depend on the other candidates.
    private func reasonsToLeaveOut(_ candidate: RankingCandidate) -> [SpecialistRanking.Reason] {
        var reasons: [SpecialistRanking.Reason] = []
        if candidate.hasEnded { reasons.append(.ended) }
        if candidate.isLicenceExpired { reasons.append(.licenceExpired) }
        if !candidate.isOfPractice { reasons.append(.notOfPractice) }
        if candidate.neverThisPatient || species.map(candidate.neverSpecies.contains) ?? false {
            reasons.append(.neverThisSpecies)
        }
        if candidate.isOverCaseload, level > .orange { reasons.append(.overCaseload) }
        let isFree = candidate.waitMinutes.map { (0...windowMinutes).contains($0) } ?? false
        if !isFree { reasons.append(.nothingFree) }
        return reasons
    }

    /// Returns how well a specialist masters the specialty that is asked for; nil if not at all, or if none is asked.
    private func proficiency(of candidate: RankingCandidate) -> RankingCandidate.Proficiency? {
        best(candidate.expertise.filter { $0.specialty.name == specialty?.name })
    }

    private func best(_ expertise: [RankingCandidate.Expertise]) -> RankingCandidate.Proficiency? {
        expertise.map(\.proficiency).max { $0.points < $1.points }
    }

    // MARK: - The lines

    private func lines(_ candidate: RankingCandidate, wait: Int) -> [RankingLine] {
        [
            specialtyLine(candidate), soonestLine(wait: wait), speciesLine(candidate), knownLine(candidate),
            wishLine(candidate), loadLine(candidate),
        ]
    }

    private func specialtyLine(_ candidate: RankingCandidate) -> RankingLine {
        guard let specialty else { return RankingLine(.specialty, 20, because: "no specialty is asked for") }
        if let own = proficiency(of: candidate) {
            return RankingLine(.specialty, own.points, because: "\(own.rawValue) in the specialty")
        }
        let related = best(candidate.expertise.filter { $0.specialty.category == specialty.category })
        guard let related else {
            return RankingLine(.specialty, 0, because: "nobody has the specialty; none of its category either")
        }
        let because = "nobody has the specialty; \(related.rawValue) in another of its category, which counts half"
        return RankingLine(.specialty, related.points / 2, because: because)
    }

    private func soonestLine(wait: Int) -> RankingLine {
        let points = 20 * (windowMinutes - wait) / windowMinutes
        let because = wait == 0 ? "free now" : "free in \(wait) of at most \(windowMinutes) minutes"
        return RankingLine(.soonest, points, because: because)
    }

    private func speciesLine(_ candidate: RankingCandidate) -> RankingLine {
        let isPreferred = species.map(candidate.preferredSpecies.contains) ?? false
        return isPreferred
            ? RankingLine(.species, 15, because: "prefers the species")
            : RankingLine(.species, 8, because: "does not prefer the species")
    }

    private func knownLine(_ candidate: RankingCandidate) -> RankingLine {
        if candidate.hadLastAppointment {
            return RankingLine(.known, 10, because: "had the patient's last appointment")
        }
        if let days = candidate.daysSinceSeen, (0...365).contains(days) {
            return RankingLine(.known, 5, because: "saw the patient \(days) days ago")
        }
        return RankingLine(.known, 0, because: "did not see the patient within 365 days")
    }

    private func wishLine(_ candidate: RankingCandidate) -> RankingLine {
        if wished == candidate.id { return RankingLine(.wish, 5, because: "the client wishes this specialist") }
        return RankingLine(.wish, 0, because: wished == nil ? "no wish of the client" : "the client wishes another")
    }

    private func loadLine(_ candidate: RankingCandidate) -> RankingLine {
        let (booked, available) = (candidate.bookedMinutes, candidate.availableMinutes)
        guard available > 0 else { return RankingLine(.load, 0, because: "no available minutes on that day") }
        let free = min(max(available - booked, 0), available)
        let because = "\(booked) of \(available) minutes of that day are booked"
        return RankingLine(.load, 10 * free / available, because: because)
    }
}
