internal import Cipher
package import Crypto
internal import FoundationEssentials
internal import LMDB

/// A frame that is sealed but not yet stamped: the caller's thread makes it, and the writer completes it.
struct SealedFrame: Sendable {
    let header: EventHeader
    /// The root from which the key was derived, or the entry's slot that holds it; nil for the key of a subject.
    let root: UUID?
    let slot: UUID?
    private(set) var bytes: [UInt8]

    init(_ header: EventHeader, payload: [UInt8], key: Sealing.NewKey) throws(EventLogError) {
        guard payload.count <= FrameLayout.maximumPayload else {
            throw EventLogError(.tooLarge, "an event's payload is larger than \(FrameLayout.maximumPayload) bytes")
        }
        self.header = header
        (root, slot) = (key.root, key.slot)
        bytes = [UInt8](repeating: 0, count: FrameLayout.overhead + payload.count)
        header.write(to: &bytes, payloadLength: payload.count)
        do throws(Cipher.SealingFailed) {
            try Cipher.seal(
                payload,
                into: &bytes,
                at: FrameLayout.headerLength,
                authenticating: FrameLayout.lengths,
                FrameLayout.callers,
                key: key.key
            )
        } catch {
            throw EventLogError(.storage, "the payload could not be sealed")
        }
    }
}

extension EventHeader {
    /// Writes the part of a frame that the caller of the append knows.
    fileprivate func write(to frame: inout [UInt8], payloadLength: Int) {
        var span = frame.mutableSpan
        var bytes = unsafe span.mutableBytes
        let version = Sealing.isByEntry(self) ? FrameLayout.versionByEntry : FrameLayout.versionBySubject
        bytes.store(version, at: FrameLayout.formatVersion)
        bytes.store(UInt16(FrameLayout.headerLength), at: FrameLayout.headerLengthOffset)
        bytes.store(UInt32(payloadLength), at: FrameLayout.payloadLength)
        bytes.store(stream, at: FrameLayout.stream)
        bytes.store(id, at: FrameLayout.event)
        bytes.store(subject, at: FrameLayout.subject)
        bytes.store(type, at: FrameLayout.type)
        bytes.store(schemaVersion, at: FrameLayout.schemaVersion)
        bytes.store(category, at: FrameLayout.category)
        bytes.store(kind, at: FrameLayout.kind)
        bytes.store(actor, at: FrameLayout.actor)
        bytes.store(correlation, at: FrameLayout.correlation)
        bytes.store(causation, at: FrameLayout.causation)
        bytes.store(entry, at: FrameLayout.entry)
        bytes.store(source, at: FrameLayout.source)
        guard let occurred else { return }
        bytes.store(occurred.daysSince1970, at: FrameLayout.occurredDay)
        bytes.store(occurred.isInstant ? 2 : 1 as UInt8, at: FrameLayout.occurredPrecision)
    }
}

/// The part of a frame that only the writer knows.
struct FrameStamp {
    let position: UInt64
    let streamPosition: UInt64
    let previous: UInt64
    let skip: UInt64
    let recordedAt: Int64

    func write(to frame: inout MutableRawSpan) {
        frame.store(position, at: FrameLayout.position)
        frame.store(streamPosition, at: FrameLayout.streamPosition)
        frame.store(previous, at: FrameLayout.previous)
        frame.store(skip, at: FrameLayout.skip)
        frame.store(recordedAt, at: FrameLayout.recordedAt)
    }
}

/// Decrypts and authenticates the payloads of frames.
package enum FrameSeal {
    /// Returns the decrypted payload, or throws if the frame is not the one that was sealed under that key.
    static func open(_ frame: RawSpan, key: SymmetricKey, at position: UInt64) throws(EventLogError) -> [UInt8] {
        if frame.byteCount >= FrameLayout.overhead,
            let payload = try? Cipher.open(
                frame.extracting(FrameLayout.headerLength..<frame.byteCount),
                authenticating: frame.extracting(FrameLayout.lengths),
                frame.extracting(FrameLayout.callers),
                key: key
            )
        {
            return payload
        }
        throw .damaged("the seal cannot be opened: the event was changed", at: position)
    }

    /// Reports whether the seal opens, and discards the decrypted payload.
    package static func opens(_ frame: RawSpan, key: SymmetricKey) -> Bool {
        frame.byteCount >= FrameLayout.overhead
            && Cipher.opens(
                frame.extracting(FrameLayout.headerLength..<frame.byteCount),
                authenticating: frame.extracting(FrameLayout.lengths),
                frame.extracting(FrameLayout.callers),
                key: key
            )
    }
}
