import EventLog
import HealthModel
import Interchange

/// The result of a successful check of a proof.
struct ProofFinding {
    enum Claim {
        case includes(position: UInt64, leaf: MerkleHash)
        case extends(size: UInt64, root: MerkleHash)
        /// A record or an entry was erased, by the event that the receipt names.
        case erases(ErasureReceipt)
    }

    let signed: SignedCheckpoint
    let claim: Claim
    /// The witnesses of the policy that cosigned the checkpoint; nil without a policy.
    var cosigners: [String]?

    private var checkpoint: Checkpoint { signed.checkpoint }

    var table: TextTable {
        var table = TextTable([.init("WHAT"), .init("PROVEN")])
        switch claim {
        case .includes(let position, let leaf):
            table.add(["event", "position \(position) of \(checkpoint.size)"])
            table.add(["hash of its frame", leaf.hexadecimal])
        case .extends(let size, let root):
            table.add(["events", "\(checkpoint.size), and the first \(size) are those of the earlier checkpoint"])
            table.add(["earlier root", root.hexadecimal])
        case .erases(let receipt):
            table.add([receipt.entry == nil ? "erased record" : "record", receipt.record.text])
            if let entry = receipt.entry { table.add(["erased entry", entry.text]) }
            table.add(["at", receipt.erasedAt])
            table.add(["event", "position \(receipt.position) of \(checkpoint.size)"])
            for copy in receipt.copies { table.add(["copy", "\(copy.what) \(copy.id?.text ?? "-"): \(copy.fate)"]) }
            for backup in receipt.backups {
                table.add(["backup that holds the key", "\(backup.place), made \(backup.madeAt)"])
            }
        }
        table.add(["log", checkpoint.origin])
        table.add(["root", checkpoint.root.hexadecimal])
        if let cosigners { table.add(["witnessed by", cosigners.joined(separator: ", ")]) }
        return table
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("isProven", .bool(true))]
        switch claim {
        case .includes(let position, let leaf):
            members += [.init("position", .integer(position)), .init("leaf", .string(leaf.hexadecimal))]
        case .extends(let size, let root):
            members += [.init("oldSize", .integer(size)), .init("oldRoot", .string(root.hexadecimal))]
        case .erases(let receipt):
            members += [
                .init("record", .string(receipt.record.text)),
                .init("entry", receipt.entry.map { .string($0.text) } ?? .null),
                .init("erasedAt", .string(receipt.erasedAt)),
                .init("position", .integer(receipt.position)),
                .init(
                    "copies",
                    .array(
                        receipt.copies.map { copy in
                            .present([
                                "what": .string(copy.what), "id": copy.id.map { .string($0.text) },
                                "fate": .string(copy.fate),
                            ])
                        }
                    )
                ),
                .init("backups", .array(receipt.backups.map { .string($0.place) })),
            ]
        }
        members += [
            .init("log", .string(checkpoint.origin)), .init("size", .integer(checkpoint.size)),
            .init("root", .string(checkpoint.root.hexadecimal)),
        ]
        if let cosigners { members.append(.init("witnessedBy", .array(cosigners.map { .string($0) }))) }
        return .object(members)
    }
}
