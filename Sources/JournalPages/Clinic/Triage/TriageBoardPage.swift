package import HealthModel
package import Interchange

/// The triage board of a practice: the patients who wait, the most urgent one first.
package struct TriageBoardPage: WebPage {
    package static let template = Template("triage-board")

    package let head: PracticeHead
    /// When the board was as it is shown.
    package let shownAt: String
    package let lines: [TriageLine]
    package let isEmpty: Bool
    package let isPast: Bool
    package let address: String
    package let nowAddress: String
    /// Whether the page loads itself again; a moment of the past does not change.
    package let refreshes: Bool
    /// The page on which another moment is chosen, which does not load itself.
    package let stillAddress: String
    package let practice: String
    /// Where a patient is put on the board; nil for those who may not.
    package let arriveAddress: String?
    package let rulesAddress: String
    package let isWithoutRules: Bool
    /// Says who adopts rules, if there are none yet.
    package let withoutRules: String
    package let mayTake: Bool
    package let mayAssess: Bool
    /// The specialist that the reader is; empty if the reader is none.
    package let specialist: String
    /// Identifies a form that is sent twice.
    package let key: String

    /// What the reader may do on the board.
    package struct Permissions: Sendable {
        package var begin = false
        package var treat = false
        package var adoptRules = false

        package init() {}
    }

    /// After how many seconds the page loads itself.
    package static let refreshSeconds = 60

    /// `specialist` is the id of the specialist that the reader is.
    package init(
        _ view: PracticeView,
        _ triages: [TriageDocument],
        now: Instant,
        moment: CalendarMoment,
        hasRules: Bool,
        _ may: Permissions,
        specialist: String?,
        isStill: Bool = false,
        key: String
    ) {
        let words = view.words
        let today = view.clock.day(at: now)
        head = PracticeHead(view, at: .board, moment: moment)
        isPast = moment.isPast
        shownAt = moment.description ?? words["boardAt", view.time(now)]
        lines = triages.map { TriageLine($0, today: today, view) }
        isEmpty = triages.isEmpty
        address = "\(view.address)/board"
        nowAddress = address
        refreshes = !moment.isPast && !isStill
        stillAddress = "\(view.address)/board?still=true"
        practice = view.practice.id.text
        arriveAddress = may.begin && !moment.isPast ? "\(view.address)/arrive" : nil
        rulesAddress = "\(view.address)/rules"
        isWithoutRules = !hasRules
        withoutRules = words[may.adoptRules ? "withoutRulesAdopt" : "withoutRulesAsk"]
        mayTake = may.treat && !moment.isPast
        mayAssess = mayTake && hasRules
        self.specialist = specialist ?? ""
        self.key = key
    }
}
