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
            summary: "Prove that an event is in the log",
            tag: .log,
            parameters: [.position],
            answers: [.text("A proof for `healthjournal-replay check-proof`.")],
            problems: [.notFound]
        ),
        Operation(
            method: .get,
            path: "/v1/log/proofs/consistency",
            id: "proveConsistency",
            summary: "Prove that the log has only been appended to since it had a given size",
            tag: .log,
            parameters: [.from],
            answers: [.text("A proof for `healthjournal-replay check-proof`.")],
            problems: [.notFound]
        ),
    ]
}
