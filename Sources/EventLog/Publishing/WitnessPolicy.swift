/// Which logs are accepted, and whose cosignatures a checkpoint needs (https://c2sp.org/tlog-policy).
package struct WitnessPolicy: Sendable {
    package struct Log: Sendable {
        package let verifier: NoteVerifier
    }

    package struct Witness: Sendable {
        /// The name within the policy.
        package let name: String
        package let verifier: NoteVerifier
        /// The address below which it takes checkpoints; nil if the policy is for verifying alone.
        package let url: String?
    }

    /// A group of members; at least `threshold` of them must have witnessed a checkpoint.
    private struct Group {
        let name: String
        let threshold: Int
        let members: [String]
    }

    /// The maximum number of logs, of witnesses, and of groups.
    static let maximum = 32
    package static let maximumBytes = 64 << 10

    package private(set) var logs: [Log] = []
    package private(set) var witnesses: [Witness] = []
    private var groups: [Group] = []
    /// The name of a witness or a group; nil if no cosignature is needed.
    private var quorum: String?

    /// Parses a policy; an error names the line and its problem.
    package init(parsing bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ProofError(.malformed, "a policy has at most \(Self.maximumBytes) bytes")
        }
        var hasQuorum = false
        var used: Set<String> = []
        for (index, bytes) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            // A comment may be in any encoding.
            if bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "#"),
                bytes.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F })
            {
                continue
            }
            guard let text = String(validating: bytes, as: UTF8.self),
                bytes.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F })
            else { throw ProofError(.malformed, "has a character that a policy cannot have", line: index + 1) }
            let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            func malformed(_ message: String) -> ProofError { ProofError(.malformed, message, line: index + 1) }
            switch first {
            case "log":
                guard (2...3).contains(words.count) else { throw malformed("a log has the form: log KEY [ADDRESS]") }
                logs.append(Log(verifier: try Self.key(words[1], .ed25519, index + 1)))
            case "witness":
                guard (3...4).contains(words.count) else {
                    throw malformed("a witness has the form: witness NAME KEY [ADDRESS]")
                }
                try requireNew(words[1], index + 1)
                let key = try Self.key(words[2], .cosignature, index + 1)
                let url = words.count == 4 ? words[3] : nil
                witnesses.append(Witness(name: words[1], verifier: key, url: url))
            case "group":
                guard words.count >= 4 else {
                    throw malformed("a group has the form: group NAME all|any|NUMBER MEMBER…")
                }
                try requireNew(words[1], index + 1)
                let members = Array(words[3...])
                for member in members {
                    guard isDefined(member) else { throw malformed("\(member) is not defined before this line") }
                    guard used.insert(member).inserted else { throw malformed("\(member) is a member twice") }
                }
                let threshold =
                    words[2] == "all"
                    ? members.count
                    : words[2] == "any" ? 1 : UInt64(canonical: words[2].utf8).flatMap { Int(exactly: $0) } ?? 0
                guard (1...members.count).contains(threshold) else {
                    throw malformed("of \(members.count) members, \(words[2]) cannot be needed")
                }
                groups.append(Group(name: words[1], threshold: threshold, members: members))
            case "quorum":
                guard words.count == 2, !hasQuorum else { throw malformed("a policy has one line: quorum NAME") }
                guard words[1] == "none" || isDefined(words[1]) else {
                    throw malformed("\(words[1]) is not defined before this line")
                }
                hasQuorum = true
                quorum = words[1] == "none" ? nil : words[1]
            default: throw malformed("a line begins with log, witness, group or quorum")
            }
            guard max(logs.count, witnesses.count, groups.count) <= Self.maximum else {
                throw malformed("a policy has at most \(Self.maximum) logs, witnesses and groups")
            }
        }
        guard hasQuorum else { throw ProofError(.malformed, "a policy has one line: quorum NAME") }
        guard Set(logs.map(\.verifier.publicKey)).count == logs.count,
            Set(witnesses.map(\.verifier.publicKey)).count == witnesses.count
        else { throw ProofError(.malformed, "the policy has a key twice") }
    }

    private static func key(_ text: String, _ algorithm: NoteAlgorithm, _ line: Int) throws(ProofError) -> NoteVerifier
    {
        do throws(ProofError) {
            return try NoteVerifier(parsing: text, as: algorithm)
        } catch {
            throw ProofError(error.code, error.message, line: line)
        }
    }

    private func isDefined(_ name: String) -> Bool {
        witnesses.contains { $0.name == name } || groups.contains { $0.name == name }
    }

    private func requireNew(_ name: String, _ line: Int) throws(ProofError) {
        guard name != "none", !isDefined(name) else {
            throw ProofError(.malformed, "the name \(name) is taken", line: line)
        }
    }

    // MARK: - Whether a checkpoint satisfies it

    /// Whether it accepts checkpoints of a log: any one, if it lists none.
    package func accepts(_ log: NoteVerifier) -> Bool { logs.isEmpty || logs.contains { $0.verifier == log } }

    /// Returns the names of the witnesses that cosigned a checkpoint within `seconds` before `now`.
    ///
    /// Without `seconds`, any time counts, except that no cosignature may be of the future (by more than five minutes).
    /// Throws if a cosignature that names a key of the policy is invalid.
    package func cosigners(
        of signed: SignedCheckpoint,
        now: UInt64,
        within seconds: UInt64? = nil
    ) throws(ProofError) -> Set<String> {
        let note = try SignedNote(parsing: Array(signed.text.utf8)[...])
        var found: Set<String> = []
        for signature in note.signatures {
            for witness in witnesses where witness.verifier.isNamed(by: signature) {
                guard witness.verifier.hasSigned(note.text, signature.bytes),
                    let cosignature = Cosignature(signature.bytes)
                else {
                    throw ProofError(
                        .badSignature,
                        "the cosignature is not from the witness \(witness.name)",
                        line: signature.line
                    )
                }
                let isFuture = cosignature.time > now + 300
                let isFresh = seconds.map { cosignature.time + $0 >= now } ?? true
                if !isFuture, isFresh { found.insert(witness.name) }
            }
        }
        return found
    }

    /// Whether these witnesses are enough.
    package func isMet(by cosigners: Set<String>) -> Bool { quorum.map { isMet($0, by: cosigners) } ?? true }

    /// The witnesses that did not cosign, in the order of the policy.
    package func missing(_ cosigners: Set<String>) -> [String] {
        witnesses.map(\.name).filter { !cosigners.contains($0) }
    }

    private func isMet(_ name: String, by cosigners: Set<String>) -> Bool {
        guard let group = groups.first(where: { $0.name == name }) else { return cosigners.contains(name) }
        return group.members.count { isMet($0, by: cosigners) } >= group.threshold
    }
}
