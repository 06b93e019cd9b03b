package import FoundationEssentials
internal import LMDB

/// One event as stored in the log: its header is read in place, and its payload is still sealed.
package struct Frame: ~Escapable {
    package let bytes: RawSpan

    /// Interprets bytes as the frame of a position.
    ///
    /// Throws if the version is unknown, or if the lengths or the stored position do not match.
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, at position: UInt64) throws(EventLogError) {
        guard bytes.byteCount >= FrameLayout.overhead else {
            throw .damaged("the frame is too short", at: position)
        }
        let version: UInt8 = bytes.integer(at: FrameLayout.formatVersion)
        guard version == FrameLayout.versionBySubject || version == FrameLayout.versionByEntry else {
            throw EventLogError(.newerFormat, "position \(position): unknown frame version", position: position)
        }
        let headerLength = Int(bytes.integer(at: FrameLayout.headerLengthOffset, as: UInt16.self))
        let payloadLength = Int(bytes.integer(at: FrameLayout.payloadLength, as: UInt32.self))
        guard headerLength == FrameLayout.headerLength, FrameLayout.overhead + payloadLength == bytes.byteCount,
            bytes.integer(at: FrameLayout.position, as: UInt64.self) == position
        else {
            throw .damaged("the frame's lengths or its position are wrong", at: position)
        }
        self.bytes = bytes
    }

    package var position: UInt64 { bytes.integer(at: FrameLayout.position) }
    /// The event's version in its stream, from 1.
    package var streamPosition: UInt64 { bytes.integer(at: FrameLayout.streamPosition) }
    /// The global position of the stream's previous event, or 0.
    package var previous: UInt64 { bytes.integer(at: FrameLayout.previous) }
    /// The global position of the stream's event v & (v − 1), or 0, where v is this event's stream position.
    package var skip: UInt64 { bytes.integer(at: FrameLayout.skip) }
    /// When the log recorded the event, in microseconds since 1970.
    package var recordedAt: Int64 { bytes.integer(at: FrameLayout.recordedAt) }
    package var stream: UUID { bytes.uuid(at: FrameLayout.stream) }
    package var id: UUID { bytes.uuid(at: FrameLayout.event) }
    package var subject: UUID { bytes.uuid(at: FrameLayout.subject) }
    package var type: UInt16 { bytes.integer(at: FrameLayout.type) }
    package var schemaVersion: UInt16 { bytes.integer(at: FrameLayout.schemaVersion) }
    package var category: UInt16 { bytes.integer(at: FrameLayout.category) }
    package var kind: UInt16 { bytes.integer(at: FrameLayout.kind) }
    package var actor: UUID { bytes.uuid(at: FrameLayout.actor) }
    package var entry: UUID { bytes.uuid(at: FrameLayout.entry) }
    /// Whether the payload is sealed under the key of the entry, so that the entry can be erased alone.
    package var isSealedByEntry: Bool {
        bytes.integer(at: FrameLayout.formatVersion, as: UInt8.self) == FrameLayout.versionByEntry
    }

    package var occurred: EventHeader.Occurred? {
        let precision = bytes.integer(at: FrameLayout.occurredPrecision, as: UInt8.self)
        guard precision != 0 else { return nil }
        return EventHeader.Occurred(
            daysSince1970: bytes.integer(at: FrameLayout.occurredDay),
            isInstant: precision == 2
        )
    }

    /// A copy of the part of the frame that the caller of the append gave.
    package var header: EventHeader {
        var header = EventHeader(
            stream: stream,
            id: id,
            subject: subject,
            type: type,
            schemaVersion: schemaVersion,
            category: category,
            actor: actor,
            correlation: bytes.uuid(at: FrameLayout.correlation),
            source: bytes.integer(at: FrameLayout.source)
        )
        header.kind = kind
        header.causation = bytes.uuid(at: FrameLayout.causation)
        header.entry = entry
        header.occurred = occurred
        return header
    }

    /// A copy that can outlive the transaction.
    package var copy: StoredEvent {
        StoredEvent(
            position: position,
            streamPosition: streamPosition,
            previous: previous,
            skip: skip,
            recordedAt: recordedAt,
            header: header,
            bytes: bytes.copy
        )
    }
}

/// A copy of one event of the log, with its payload still sealed.
package struct StoredEvent: Hashable, Sendable {
    package let position: UInt64
    package let streamPosition: UInt64
    package let previous: UInt64
    package let skip: UInt64
    /// When the log recorded the event, in microseconds since 1970.
    package let recordedAt: Int64
    package let header: EventHeader
    /// The whole frame as stored, which the leaf hash of the Merkle tree covers.
    package let bytes: [UInt8]

    /// Whether the payload is sealed under the key of the entry, so that the entry can be erased alone.
    package var isSealedByEntry: Bool { bytes[FrameLayout.formatVersion] == FrameLayout.versionByEntry }
}
