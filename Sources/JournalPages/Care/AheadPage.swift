package import FoundationEssentials
package import HealthModel
package import Interchange

/// The doses of the next days, on a page that a device keeps and shows without a connection.
package struct AheadPage: WebPage {
    package static let template = Template("ahead")

    package let head: RecordHead
    package let heading: String
    /// Forms return to the present day.
    package let day = ""
    package let action: String?
    package let key: String
    package let account: String
    package let locale: String
    package let isKept = true
    package let days: [Section]
    package let asNeeded: [TodayPage.Possible]
    package let hasAsNeeded: Bool
    package let reasons: [FormOption]
    package let snoozes: [FormOption]

    package struct Section: Sendable {
        package let day: String
        /// When the day ends on the person's clock; the device may be in another time zone.
        package let end: String
        package let label: String
        package let groups: [TodayPage.Group]
    }

    package init(
        _ head: RecordHead,
        _ doses: PlannedDosesDocument,
        asNeeded: [(plan: UUID, name: String)],
        mayLog: Bool,
        endOf: (Day) -> Instant,
        key: String,
        account: UUID,
        _ reader: Reader
    ) {
        self.head = head
        self.key = key
        self.account = account.text
        locale = reader.locale.identifier(.bcp47)
        let last = doses.to.adding(days: -1)
        heading = reader.words["aheadHeading", reader.day(doses.from), reader.day(last)]
        action = mayLog ? "\(head.address)/today" : nil
        let count = Int(doses.to.daysSince1970 - doses.from.daysSince1970)
        days = (0..<count)
            .map { offset in
                let day = doses.from.adding(days: offset)
                let lines = doses.doses.filter { $0.listedDay(today: doses.from) == day.description }
                    .map { DoseLine($0, day: day, reader) }
                return Section(
                    day: day.description,
                    end: endOf(day).description,
                    label: reader.day(day),
                    groups: TodayPage.groups(lines, reader.words)
                )
            }
        let allowances = Dictionary(doses.allowances.map { ($0.plan, $0) }) { first, _ in first }
        self.asNeeded = asNeeded.map { plan in
            TodayPage.Possible(plan.plan, plan.name, allowances[plan.plan], doses, reader)
        }
        hasAsNeeded = !asNeeded.isEmpty
        reasons = TodayPage.reasons(reader)
        snoozes = TodayPage.snoozes(reader)
    }
}
