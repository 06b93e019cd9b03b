/// The byte layout of a frame.
///
/// Integers are little-endian. The format does not change. Its version states which key seals the payload: that of the
/// event's subject (1) or that of its entry (2, see `EntryKeys`).
///
///     0    version u8, flags u8, header length u16, length of the sealed payload u32
///     8    global position, stream position, previous, skip: u64 each; recorded time i64     (the writer's part)
///     48   stream, event, subject: 16 bytes each                                            (the caller's part)
///     96   type, schema version, category, kind: u16 each
///     104  actor, correlation, causation, entry: 16 bytes each
///     168  occurred day i32, source u16, occurred precision u8, reserved u8
///     176  nonce (12 bytes), then the payload sealed by AES-256-GCM, its tag (16 bytes) last
///
/// The seal also authenticates bytes 0–7 and 48–175: the caller knows them before the writer fills in bytes 8–47.
package enum FrameLayout {
    static let versionBySubject: UInt8 = 1
    static let versionByEntry: UInt8 = 2
    static let headerLength = 176
    static let nonceLength = 12
    static let tagLength = 16
    package static let overhead = headerLength + nonceLength + tagLength
    /// The maximum payload of one event in bytes; larger data is stored as a blob.
    static let maximumPayload = 16 << 20
    static let maximumLength = overhead + maximumPayload

    static let lengths = 0..<8
    static let callers = 48..<176

    static let formatVersion = 0
    static let headerLengthOffset = 2
    static let payloadLength = 4
    static let position = 8
    static let streamPosition = 16
    static let previous = 24
    static let skip = 32
    static let recordedAt = 40
    static let stream = 48
    static let event = 64
    static let subject = 80
    static let type = 96
    static let schemaVersion = 98
    static let category = 100
    static let kind = 102
    static let actor = 104
    static let correlation = 120
    static let causation = 136
    static let entry = 152
    static let occurredDay = 168
    static let source = 172
    static let occurredPrecision = 174
}
