package import FoundationEssentials

/// A question for free times: for what, in which days, with whom and where.
package struct SlotQuestion: Hashable, Sendable {
    package var minutes: Int
    package var bufferBefore: Int
    package var bufferAfter: Int
    /// The distance of possible starts, in minutes, counted from each opening.
    package var grid: Int
    /// Local days of the practice, on which the times start.
    package var days: ClosedRange<Day>
    /// Whose hours count: those for emergencies are longer.
    package var purpose: Attendance.Purpose
    /// The service, whose specialty a specialist must have.
    package var service: UUID?
    package var specialists: [UUID]
    /// The acceptable rooms: one of them is needed; empty if none is.
    package var places: [UUID]
    package var record: UUID?
    /// The appointment that is to be moved, whose own time does not count.
    package var moving: UUID?
    /// When a start is possible: in the future, and for clients within the practice's limits.
    package var window: TimeSpan

    package static let maximumDays = 92
    package static let maximumSlots = 500

    package init(
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        grid: Int = 15,
        days: ClosedRange<Day>,
        purpose: Attendance.Purpose = .appointment,
        service: UUID? = nil,
        specialists: [UUID],
        places: [UUID] = [],
        record: UUID? = nil,
        moving: UUID? = nil,
        window: TimeSpan
    ) {
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.grid = grid
        self.days = days
        self.purpose = purpose
        self.service = service
        self.specialists = specialists
        self.places = places
        self.record = record
        self.moving = moving
        self.window = window
    }
}

/// A time that can be booked.
package struct FreeSlot: Hashable, Sendable {
    package var start: Instant
    package var specialist: UUID
    package var place: UUID?
    /// How many minutes of the specialist's local day are booked already.
    package var bookedMinutes: Int
    /// Whether the specialist has other hours then, and has to be called in; for emergencies alone.
    package var isOnCall = false
    /// How gladly the specialist does the service on that day, from -2 to 2.
    package var preference = 0
}

/// Earlier times come first, then those of specialists who are there, who have less to do on that day, and who like
/// to do the service.
extension FreeSlot: Comparable {
    package static func < (left: FreeSlot, right: FreeSlot) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.isOnCall != right.isOnCall { return right.isOnCall }
        if left.bookedMinutes != right.bookedMinutes { return left.bookedMinutes < right.bookedMinutes }
        if left.preference != right.preference { return left.preference > right.preference }
        return left.specialist < right.specialist
    }
}

/// Why there is no free time: the last thing that left none.
///
/// The reasons are in the order of the steps: the later the reason, the more steps left a free time.
package enum NoSlotReason: String, CaseIterable, Sendable, Comparable {
    case closed, noSpecialist, absent, caseloadFull, fullyBooked, noGapLongEnough, outsideWindow

    package var name: String { rawValue }

    private var step: Int { NoSlotReason.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: NoSlotReason, right: NoSlotReason) -> Bool { left.step < right.step }
}
