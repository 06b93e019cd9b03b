import HTTPTypes
import Interchange

extension OpenAPI {
    static let logOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/log/checkpoint",
            id: "showCheckpoint",
            summary: "Show the size and the root of the log, signed",
            tag: .log,
            answers: [.text("A checkpoint, as a signed note.")]
        ),
        Operation(
            method: .get,
            path: "/v1/log/proofs/inclusion",
            id: "proveInclusion",
            summary: "Prove that an event stands in the log",
            tag: .log,
            parameters: [.position],
            answers: [.text("A proof that `healthjournal-replay check-proof` takes.")],
            problems: [.notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/log/proofs/consistency",
            id: "proveConsistency",
            summary: "Prove that the log was only added to since it had a size",
            tag: .log,
            parameters: [.from],
            answers: [.text("A proof that `healthjournal-replay check-proof` takes.")],
            problems: [.notFound]
        ),
    ]
}
