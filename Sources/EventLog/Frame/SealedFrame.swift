internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// A frame that is sealed but not yet stamped: made on the caller's thread, finished by the writer.
struct SealedFrame: Sendable {
    let header: EventHeader
    private(set) var bytes: [UInt8]

    init(_ header: EventHeader, payload: [UInt8], key: SymmetricKey) throws(EventLogError) {
        guard payload.count <= FrameLayout.maximumPayload else {
            throw EventLogError(.tooLarge, "an event's payload is larger than \(FrameLayout.maximumPayload) bytes")
        }
        self.header = header
        bytes = []
        bytes.reserveCapacity(FrameLayout.overhead + payload.count)
        bytes.append(FrameLayout.version)
        bytes.append(0)
        bytes.append(littleEndian: UInt16(FrameLayout.headerLength))
        bytes.append(littleEndian: UInt32(payload.count))
        bytes.append(contentsOf: repeatElement(0, count: FrameLayout.stream - FrameLayout.position))
        bytes.append(header.stream)
        bytes.append(header.id)
        bytes.append(header.subject)
        bytes.append(littleEndian: header.type)
        bytes.append(littleEndian: header.schemaVersion)
        bytes.append(littleEndian: header.category)
        bytes.append(littleEndian: header.kind)
        bytes.append(header.actor)
        bytes.append(header.correlation)
        bytes.append(header.causation)
        bytes.append(header.entry)
        bytes.append(littleEndian: header.occurred?.daysSince1970 ?? 0)
        bytes.append(littleEndian: header.source)
        bytes.append(header.occurred.map { $0.isInstant ? 2 : 1 } ?? 0)
        bytes.append(0)
        do {
            let box = try AES.GCM.seal(payload, using: key, authenticating: FrameSeal.authenticated(in: bytes))
            bytes.append(contentsOf: box.nonce)
            bytes.append(contentsOf: box.ciphertext)
            bytes.append(contentsOf: box.tag)
        } catch {
            throw EventLogError(.storage, "the payload could not be sealed")
        }
    }

    /// Writes the part that only the writer knows.
    mutating func stamp(position: UInt64, streamPosition: UInt64, previous: UInt64, skip: UInt64, recordedAt: Int64) {
        bytes.store(littleEndian: position, at: FrameLayout.position)
        bytes.store(littleEndian: streamPosition, at: FrameLayout.streamPosition)
        bytes.store(littleEndian: previous, at: FrameLayout.previous)
        bytes.store(littleEndian: skip, at: FrameLayout.skip)
        bytes.store(littleEndian: recordedAt, at: FrameLayout.recordedAt)
    }
}

/// What the seal of a frame covers, and its opening.
enum FrameSeal {
    static func authenticated(in frame: [UInt8]) -> [UInt8] {
        Array(frame[FrameLayout.lengths]) + frame[FrameLayout.callers]
    }

    /// The payload in clear; throws when the frame is not what was sealed under that key.
    static func open(_ frame: [UInt8], key: SymmetricKey, at position: UInt64) throws(EventLogError) -> [UInt8] {
        let sealed = frame[FrameLayout.headerLength...]
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: sealed.prefix(FrameLayout.nonceLength)),
                ciphertext: sealed.dropFirst(FrameLayout.nonceLength).dropLast(FrameLayout.tagLength),
                tag: sealed.suffix(FrameLayout.tagLength)
            )
            return try [UInt8](AES.GCM.open(box, using: key, authenticating: authenticated(in: frame)))
        } catch {
            throw .damaged("the seal does not open: the event is not what was written", at: position)
        }
    }
}
