package import FoundationEssentials
internal import LMDB

/// A range of consecutive frames in a file of its own.
package struct BackupSegment: Hashable, Sendable {
    package let first: UInt64
    package let last: UInt64
    package let byteCount: Int

    package init(first: UInt64, last: UInt64, byteCount: Int) {
        self.first = first
        self.last = last
        self.byteCount = byteCount
    }

    var name: String { BackupSegment.name(first, last) }

    static func name(_ first: UInt64, _ last: UInt64) -> String { "\(digits(first))-\(digits(last))" }

    /// Returns the positions in a file's name; nil if it is not the name of a segment.
    static func positions(ofName name: some StringProtocol) -> (first: UInt64, last: UInt64)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]), first > 0, first <= last,
            name == BackupSegment.name(first, last)
        else { return nil }
        return (first, last)
    }

    /// Returns the header of a segment's file.
    static func header(journal: UUID, first: UInt64) -> [UInt8] {
        var bytes = BackupLayout.segmentMagic
        bytes.append(journal)
        bytes.append(littleEndian: first)
        return bytes
    }

    /// Reads the bytes of a segment, which are not trusted, and calls `body` with each frame.
    ///
    /// The lengths and the position in each frame's header have been checked.
    package static func read(
        _ bytes: RawSpan,
        journal: UUID,
        first: UInt64,
        last: UInt64,
        _ body: (Frame) throws -> Void
    ) throws {
        guard first > 0, first <= last, bytes.byteCount >= BackupLayout.segmentHeader,
            bytes.extracting(0..<BackupLayout.segmentHeader)
                .isEqual(to: header(journal: journal, first: first).raw)
        else {
            throw EventLogError.damaged("the backup segment that begins here belongs to another journal", at: first)
        }
        var offset = BackupLayout.segmentHeader
        var position = first
        while true {
            guard bytes.byteCount - offset >= 4 else { throw truncated(at: position) }
            let length = Int(bytes.integer(at: offset, as: UInt32.self))
            guard length <= BackupLayout.maximumFrame, length <= bytes.byteCount - offset - 4 else {
                throw truncated(at: position)
            }
            try body(Frame(bytes.extracting((offset + 4)..<(offset + 4 + length)), at: position))
            offset += 4 + length
            if position == last { break }
            position += 1
        }
        guard offset == bytes.byteCount else {
            throw EventLogError.damaged("the backup segment continues after its last event", at: last)
        }
    }

    private static func truncated(at position: UInt64) -> EventLogError {
        .damaged("the backup segment is truncated or its lengths are wrong", at: position)
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number)
        return String(repeating: "0", count: 20 - text.count) + text
    }
}
