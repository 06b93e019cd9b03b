/// Commits groups of appends to the log of record, and answers each append.
final class Committer: Sendable {
    private let record: any LogOfRecord
    private let reserve: DiskReserve

    init(to record: any LogOfRecord, reserve: DiskReserve) {
        (self.record, self.reserve) = (record, reserve)
    }

    /// Whether a commit would have to wait for another writer's transaction.
    var isWriterLockHeld: Bool { record.isWriting }

    /// Commits a group and answers each of its appends.
    func commit(_ group: [AppendRequest]) {
        guard reserve.byteCount < reserve.size, reserve.isMade, !reserve.refill() else { return commitOrSplit(group) }
        // The disk was full, and a part of the reserve is released: this space is only for reads and erasures.
        for request in group where !request.mayUseReserve { request.answer(.failure(DiskReserve.onlyReserveLeft)) }
        let rest = group.filter(\.mayUseReserve)
        if !rest.isEmpty { commitOrSplit(rest) }
    }

    private func commitOrSplit(_ group: [AppendRequest]) {
        do throws(EventLogError) {
            for (request, result) in zip(group, try record.commit(group)) { request.answer(result) }
        } catch {
            // An append that does not fit on the disk, or needs damaged data, must fail alone: try each one separately.
            if group.count > 1 {
                for request in group { commitOrSplit([request]) }
            } else if error.isOfFullDisk, group.allSatisfy(\.mayUseReserve), reserve.release() {
                commitOrSplit(group)
            } else {
                for request in group { request.answer(.failure(error)) }
            }
        }
    }
}
