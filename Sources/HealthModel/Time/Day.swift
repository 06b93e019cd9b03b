/// A date of the proleptic Gregorian calendar, with no time of day and no zone.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; what a frame's header carries.
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    package static func < (left: Day, right: Day) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}
