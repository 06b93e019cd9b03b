package import EventLog
package import FoundationEssentials

/// The appends of a writer under fault: the content of each event follows from its tag and number.
///
/// A later check therefore knows what each event must contain, whichever process wrote it, and when.
package struct Workload: Hashable, Sendable {
    package let tag: UInt8

    package init(tag: UInt8) {
        self.tag = tag
    }

    /// Returns the events of one append: one to three, of one of seven streams, with a new subject every four appends.
    ///
    /// Their ids are idempotency keys. Every second append is of an entry, whose events are sealed under its own key. Some
    /// payloads are larger than a page.
    package func events(of number: Int) -> [NewEvent] {
        (0..<count(of: number))
            .map { offset in
                let stream = id(version: 8, kind: 1, number: number % 7, offset: 0)
                var event = NewEvent(
                    header: EventHeader(
                        stream: stream,
                        id: id(version: 5, kind: 2, number: number, offset: offset),
                        subject: subject(of: number),
                        type: 7,
                        schemaVersion: 1,
                        category: 2,
                        actor: stream,
                        correlation: .zero,
                        source: 1
                    ),
                    payload: payload(of: number, offset)
                )
                if let entry = entry(of: number) {
                    (event.header.category, event.header.entry) = (EventLog.entryCategory, entry)
                }
                return event
            }
    }

    package func subject(of number: Int) -> UUID {
        id(version: 8, kind: 3, number: number / 4, offset: 0)
    }

    /// Returns the entry of an append, or nil.
    package func entry(of number: Int) -> UUID? {
        number % 2 == 1 ? id(version: 8, kind: 5, number: number, offset: 0) : nil
    }

    /// Returns the event that records the erasure of an entry of an append.
    package func erasure(ofEntry entry: UUID, of number: Int) -> NewEvent {
        var header = EventHeader(
            stream: subject(of: number),
            id: id(version: 8, kind: 6, number: number, offset: 0),
            subject: subject(of: number),
            type: EventLog.entryErasedType,
            schemaVersion: 1,
            category: EventLog.entryCategory,
            actor: subject(of: number),
            correlation: .zero,
            source: 1
        )
        header.entry = entry
        return NewEvent(header: header, payload: Array("erased".utf8))
    }

    /// Returns the event that records the erasure of the subject of an append.
    package func erasure(of number: Int, journal: UUID) -> NewEvent {
        var header = EventHeader(
            stream: subject(of: number),
            id: id(version: 8, kind: 4, number: number, offset: 0),
            subject: journal,
            type: EventLog.erasedType,
            schemaVersion: 1,
            category: 2,
            actor: journal,
            correlation: .zero,
            source: 1
        )
        header.entry = subject(of: number)
        return NewEvent(header: header, payload: Array("erased".utf8))
    }

    package func count(of number: Int) -> Int { 1 + number % 3 }

    private func payload(of number: Int, _ offset: Int) -> [UInt8] {
        var bytes = Array("\(tag):\(number).\(offset):".utf8)
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(offset)
        for _ in 0..<(number % 11 == 10 ? 9_000 : 20 + number * 37 % 300) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes.append(UInt8(truncatingIfNeeded: state >> 56))
        }
        return bytes
    }

    private func id(version: UInt8, kind: UInt8, number: Int, offset: Int) -> UUID {
        func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        return UUID(
            uuid: (
                0xFA, tag, kind, 0, 0, 0, version << 4, 0, 0x80, 0, 0, UInt8(truncatingIfNeeded: offset),
                byte(24), byte(16), byte(8), byte(0)
            )
        )
    }
}

/// The append that an event belongs to, and its place in it.
package struct WorkloadPlace: Hashable, Sendable {
    package let tag: UInt8
    package let number: Int
    package let offset: Int

    package init(tag: UInt8, number: Int, offset: Int) {
        (self.tag, self.number, self.offset) = (tag, number, offset)
    }

    /// Decodes the id of an event; nil if no workload has appended it.
    package init?(_ id: UUID) {
        let bytes = [UInt8](id)
        guard bytes[0] == 0xFA, bytes[2] == 2 else { return nil }
        tag = bytes[1]
        offset = Int(bytes[11])
        number = bytes[12...].reduce(0) { $0 << 8 | Int($1) }
    }
}
