/// The result of the verification of a whole log.
package struct Verification: Hashable, Sendable {
    /// A part of the log that is not as it was written.
    package struct Fault: Hashable, Sendable {
        package let position: UInt64
        package let what: String

        package init(position: UInt64, what: String) {
            self.position = position
            self.what = what
        }
    }

    /// The maximum number of faults that are listed; further faults are only counted.
    package static let namedFaults = 100

    /// The number of events in the log.
    package var head: UInt64 = 0
    /// The root of the tree as computed from the frames.
    package var root: MerkleHash = .empty
    package var sealsOpened: UInt64 = 0
    /// The number of payloads of erased subjects: their hashes were checked, but their seals cannot be opened.
    package var sealsErased: UInt64 = 0
    /// The number of payloads that were not opened, for lack of the master key.
    package var sealsUnread: UInt64 = 0
    /// The newest checkpoint that is stored outside the log and that the log extends, and the key that verifies it.
    package var checkpoint: Checkpoint?
    package var verifier: NoteVerifier?
    /// The first event of the journal, as it was checked.
    package var first: StoredEvent?
    /// The decrypted payload of the first event, if it could be opened.
    package var firstPayload: [UInt8]?
    package var description: JournalDescription?
    /// The faults, sorted by position.
    package private(set) var faults: [Fault] = []
    package private(set) var faultCount = 0

    package init() {}

    package var isSound: Bool { faultCount == 0 }

    package mutating func report(_ what: String, at position: UInt64) {
        faultCount += 1
        if faults.count < Verification.namedFaults { faults.append(Fault(position: position, what: what)) }
    }

    mutating func report(_ found: [Fault]) {
        for fault in found { report(fault.what, at: fault.position) }
    }

    mutating func sort() {
        faults.sort { $0.position < $1.position }
    }
}
