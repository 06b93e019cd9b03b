package import FoundationEssentials

/// Why an appointment is with its specialist: the ranking of the triage from which it was booked, and who was taken.
package struct SpecialistMatch: FieldDescribed {
    package var ranking: SpecialistRanking
    /// Nil for an emergency without a specialist.
    package var taken: UUID?

    package init(ranking: SpecialistRanking, taken: UUID?) {
        self.ranking = ranking
        self.taken = taken
    }

    /// The place of the specialist in the ranking, from 1 on; nil for one who is not in it.
    package var rank: Int? { ranking.ranked.firstIndex { $0.specialist == taken }.map { $0 + 1 } }

    /// The points of the specialist, of 100; nil for one who is not in the ranking.
    package var points: Int? { ranking.ranked.first { $0.specialist == taken }?.points }
}

extension SpecialistMatch {
    private static let ranking = Field(
        1,
        "ranking",
        "Ranking",
        .list(of: .group(RankedSpecialist.fields), maximum: SpecialistRanking.maximumKept)
    )
    private static let leftOut = Field(
        2,
        "leftOut",
        "Left out",
        .list(of: .group(SpecialistRanking.LeftOut.fields), maximum: Limits.eventList)
    )
    private static let taken = Field(3, "taken", "Taken", .id)

    package static let fields = [ranking, leftOut, taken]

    package var values: FieldValues {
        var values = FieldValues()
        let kept = ranking.ranked.prefix(SpecialistRanking.maximumKept)
        values[Self.ranking] = kept.isEmpty ? nil : .list(kept.map { .group($0.values) })
        let leftOut = ranking.leftOut.prefix(Limits.eventList)
        values[Self.leftOut] = leftOut.isEmpty ? nil : .list(leftOut.map { .group($0.values) })
        values[Self.taken] = taken.map { .id($0) }
        return values
    }

    package init(values: FieldValues) {
        self.init(
            ranking: SpecialistRanking(
                ranked: values.groups(Self.ranking).compactMap(RankedSpecialist.init),
                leftOut: values.groups(Self.leftOut).compactMap(SpecialistRanking.LeftOut.init)
            ),
            taken: UUID(fieldValue: values[Self.taken])
        )
    }
}
