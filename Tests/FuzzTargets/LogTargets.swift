import EventLog
import FoundationEssentials
import HealthModel
import LMDB

extension FuzzTarget {
    /// Targets for the journal's own files.
    static let logTargets = [
        FuzzTarget("frame") { bytes in
            // The position is taken from the bytes, so that the parser accepts it.
            guard bytes.count >= 16, let frame = try? Frame(bytes.raw, at: bytes.raw.integer(at: 8)) else { return }
            let copy = frame.copy
            require(copy.bytes == bytes, "a frame's copy is the frame")
            require(copy.header == frame.header && copy.recordedAt == frame.recordedAt, "its copy says the same")
            _ = (frame.previous, frame.skip, frame.streamPosition, frame.occurred, frame.header.id.isNameBased)
        },
        FuzzTarget("payload") { bytes in
            // The type, the schema version and the kind, as in a header, and then the payload.
            guard bytes.count > 5 else { return }
            let kind: UInt16 = bytes.raw.integer(at: 3)
            let (type, version) = (UInt16(bytes[0]), UInt16(bytes[1]))
            guard
                let read = try? EventCodec.decode(
                    type: type,
                    schemaVersion: version,
                    kind: kind,
                    payload: Array(bytes[5...])
                )
            else { return }
            if let type = EventType(rawValue: type), version == type.schemaVersion {
                let other = try? EventCodec.decodeWithProtobuf(Array(bytes[5...]), type, kind: kind)
                require(other?.event == read.event && other?.reason == read.reason, "both readers read the same")
                require(other?.requestDigest == read.requestDigest, "both readers read the same digest")
            }
            guard let written = try? EventCodec.encode(read.event, reason: read.reason) else { return }
            let again = try? EventCodec.decode(
                type: read.event.type.rawValue,
                schemaVersion: read.event.type.schemaVersion,
                kind: kind,
                payload: written
            )
            require(again?.event == read.event, "an event that was read is written and read as the same")
        },
        FuzzTarget("master-key") { bytes in _ = MasterKey(text: bytes) },
    ]
}
