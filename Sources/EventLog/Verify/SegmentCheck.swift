internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The check of one segment: its frames, their seals, their leaf hashes and the hashes of the tree above them.
struct SegmentCheck {
    let pages: SnapshotPages
    /// The data keys; seals are not opened if this is nil or has no master key.
    let keys: KeyStore?

    func run(_ segment: Segment) -> SegmentFindings {
        var found = SegmentFindings(segment)
        var missing: UInt64?
        for position in segment.positions {
            if case .missing = segment.frames[position] {
                if missing == nil { missing = position }
            } else if let first = missing {
                SegmentCheck.report(missing: first...(position - 1), &found)
                missing = nil
            }
            check(position, segment, &found)
        }
        if let first = missing { SegmentCheck.report(missing: first...segment.positions.upperBound, &found) }
        return found
    }

    private static func report(missing positions: ClosedRange<UInt64>, _ found: inout SegmentFindings) {
        let (first, last) = (positions.lowerBound, positions.upperBound)
        found.report(first == last ? "there is no event" : "there are no events from here to \(last)", at: first)
    }

    private func check(_ position: UInt64, _ segment: Segment, _ found: inout SegmentFindings) {
        var event = SegmentFindings.Event()
        switch segment.frames[position] {
        case .missing, .unreadable:
            _ = checkTree(nil, at: position, segment, &found)
        case .inside(let range):
            event = check(segment.frames.bytes, range, at: position, segment, &found)
        case .overflow(let page, let size):
            do throws(PageFault) {
                let bytes = try pages.overflow(page, size: size, atMost: FrameLayout.maximumLength)
                event = check(bytes, bytes.indices, at: position, segment, &found)
            } catch {
                found.report("its frame cannot be read: \(error)", at: position)
                _ = checkTree(nil, at: position, segment, &found)
            }
        }
        found.events.append(event)
    }

    private func check(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        at position: UInt64,
        _ segment: Segment,
        _ found: inout SegmentFindings
    ) -> SegmentFindings.Event {
        let isWritten = checkTree(.leaf(bytes.raw.extracting(range)), at: position, segment, &found)
        var event = SegmentFindings.Event()
        do throws(EventLogError) {
            let frame = try Frame(bytes.raw.extracting(range), at: position)
            try checkSeal(frame.bytes, at: position, &found)
            if position == 1 {
                found.first = frame.copy
                found.firstPayload = (try? keys?.key(of: frame.bytes))
                    .flatMap { try? FrameSeal.open(frame.bytes, key: $0, at: 1) }
            }
            if isWritten { event = checkPlace(frame, &found) }
        } catch {
            found.report(error.message, at: position)
        }
        return event
    }

    /// Checks a frame against its leaf hash and the hashes that it completes, and reports whether it is unchanged.
    private func checkTree(
        _ leaf: MerkleHash?,
        at position: UInt64,
        _ segment: Segment,
        _ found: inout SegmentFindings
    ) -> Bool {
        let row = segment.tree.inside(position)
        let stored = row.flatMap { MerkleHash(in: $0, at: 0) }
        if stored == nil {
            if case .unreadable = segment.tree[position] {
            } else {
                found.report("the tree has no hash for it", at: position)
            }
        }
        let isWritten = leaf == nil || stored == nil || leaf == stored
        if !isWritten { found.report("it does not match its hash in the tree", at: position) }
        let merges = min(Segment.level, position.trailingZeroBitCount)
        let above = row?.dropFirst(MerkleHash.length)
        let follows = found.edge.append(leaf ?? stored ?? .empty, stored: stored ?? leaf, above: above)
        let isWhole = stored == nil || row?.count == (position.trailingZeroBitCount + 1) * MerkleHash.length
        if !follows || !isWhole {
            found.report("the tree's hashes above it do not match those below", at: position)
        }
        if merges == Segment.level, let above { found.above = Array(above.dropFirst(merges * MerkleHash.length)) }
        return isWritten && leaf != nil
    }

    /// Returns the stream links of an event, after the checks that need no other event.
    private func checkPlace(_ frame: borrowing Frame, _ found: inout SegmentFindings) -> SegmentFindings.Event {
        let (position, version) = (frame.position, frame.streamPosition)
        let (previous, skip, stream, id) = (frame.previous, frame.skip, frame.stream, frame.id)
        var event = SegmentFindings.Event()
        event.isTrusted = true
        event.recordedAt = frame.recordedAt
        event.mark = Mark.place(stream, version)
        if id.isNameBased { event.key = Mark.key(id) }
        guard previous < position, skip < position, version > 0 else {
            found.report("its links point forward", at: position)
            return event
        }
        if previous == 0 {
            if version != 1 {
                found.report("its stream position is not 1, but it has no previous event", at: position)
            }
            event.begun = Mark.stream(stream)
        } else {
            (event.previous, event.previousMark) = (previous, Mark.place(stream, version - 1))
        }
        let target = version & (version - 1)
        if target == 0 {
            if skip != 0 { found.report("its skip position should be 0", at: position) }
        } else if skip == 0 {
            found.report("its links do not follow its stream", at: position)
        } else {
            (event.skip, event.skipMark) = (skip, Mark.place(stream, target))
        }
        return event
    }

    private func checkSeal(
        _ frame: RawSpan,
        at position: UInt64,
        _ found: inout SegmentFindings
    ) throws(EventLogError) {
        guard let keys, keys.hasMasterKey else {
            found.sealsUnread += 1
            return
        }
        do throws(EventLogError) {
            guard FrameSeal.opens(frame, key: try keys.key(of: frame)) else {
                throw .damaged("the seal cannot be opened: the event was changed", at: position)
            }
            found.sealsOpened += 1
        } catch {
            guard error.code == .subjectErased else { throw error }
            found.sealsErased += 1
        }
    }
}
