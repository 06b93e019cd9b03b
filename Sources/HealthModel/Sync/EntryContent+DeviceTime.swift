import FoundationEssentials

extension EntryContent {
    /// Returns a dose that a device reports, with its time by the service's clock; any other content as it is.
    ///
    /// A dose that was taken is never refused because of the device's clock. If that clock is wrong by more than a
    /// tolerance, `offset`, in microseconds, is added to the time. A dose was taken before its report is received. A
    /// time that is changed here is kept in ``Dose/stated``. `base` is the version that the device changed: a time that
    /// it did not change is by the service's clock already.
    func timed(offset: Int64, base: EntryContent?, now: Instant) -> EntryContent {
        guard kind == Dose.kind, let stated = instant, date != base?.date else { return self }
        var content = self
        if let base, base.body[Dose.stated] == .instant(stated) {
            // The device stated it before, and does not know that it was corrected.
            content.date = base.date
            content.body[Dose.stated] = base.body[Dose.stated]
            return content
        }
        var time = stated.corrected(by: offset)
        if body.text(Dose.status) == LoggedDose.Status.taken.rawValue { time = min(time, now) }
        if time == stated { return self }
        content.date = .instant(time)
        content.body[Dose.stated] = .instant(stated)
        return content
    }
}

extension Instant {
    /// Returns a time by a device's clock as a time by the service's clock, if the device's clock is wrong by more than
    /// the tolerance for doses.
    package func corrected(by offset: Int64) -> Instant {
        let tolerance = Int64(DoseCheck.minutesAhead) * 60_000_000
        return offset.magnitude > tolerance.magnitude ? adding(microseconds: offset) : self
    }

    /// Returns the time that is `offset` microseconds later, within what can be represented.
    package func adding(microseconds offset: Int64) -> Instant {
        let (sum, overflows) = microseconds.addingReportingOverflow(offset)
        return Instant(microseconds: overflows ? (offset > 0 ? .max : .min) : sum)
    }
}
