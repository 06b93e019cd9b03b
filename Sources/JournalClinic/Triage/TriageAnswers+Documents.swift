internal import HealthModel
package import Interchange
internal import JournalCore

extension TriageAnswer {
    package var document: TriageDocument {
        TriageDocument(
            state,
            patientName: patient?.name,
            client: patient?.client,
            species: patient.flatMap { $0.species.isEmpty ? nil : $0.species },
            alerts: patient?.alerts,
            at: shownAt,
            showsReasons: detail != .level,
            showsAll: detail == .all
        )
    }
}

extension TriageVersion {
    package var document: TriageVersionDocument {
        TriageVersionDocument(answer.document, stamp, type: type, reason: reason)
    }
}

extension TriageExplanation {
    package var document: TriageExplanationDocument {
        TriageExplanationDocument(assessed: assessed.assessment, computed: computed)
    }
}

extension TriageStatistics {
    package var document: TriageStatisticsDocument {
        TriageStatisticsDocument(
            days,
            levels: levels.map { row in
                .init(
                    level: row.level,
                    patients: row.patients,
                    taken: row.taken,
                    inTime: row.inTime,
                    left: row.left,
                    longestWait: row.longestWait
                )
            },
            judged: judged,
            underTriaged: underTriaged,
            overTriaged: overTriaged
        )
    }
}
