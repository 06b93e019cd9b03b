import AsyncHTTPClient
import EventLog
import HealthJournal
import NIOCore
import NIOHTTP1

/// What became of a request to a witness.
struct WitnessOutcome {
    enum Result {
        case cosigned
        /// It could not be asked, or refused for a reason that says nothing about the log.
        case failed(String)
        /// It has seen another log: one that this one does not extend.
        case alarm(String)
    }

    let name: String
    let result: Result

    var isAlarm: Bool { if case .alarm = result { true } else { false } }

    var description: String {
        switch result {
        case .cosigned: "cosigned"
        case .failed(let reason): reason
        case .alarm(let reason): "ALARM: \(reason)"
        }
    }
}

/// Asks witnesses to cosign a checkpoint (https://c2sp.org/tlog-witness).
struct WitnessClient {
    private let http: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// A checkpoint with the cosignatures that it got, and what each witness answered.
    struct Cosigned {
        var checkpoint: SignedCheckpoint
        var outcomes: [WitnessOutcome] = []
    }

    /// Asks each witness of a policy that has an address.
    ///
    /// An alarm is remembered in the journal, where `doctor` finds it, until that witness cosigns or leaves the policy.
    func cosign(
        _ published: SignedCheckpoint,
        by policy: WitnessPolicy,
        _ journal: Journal
    ) async throws -> Cosigned {
        var cosigned = Cosigned(checkpoint: published)
        for witness in policy.witnesses {
            guard let url = witness.url else { continue }
            let reply = try await ask(url, cosigned.checkpoint, journal)
            cosigned.outcomes.append(
                WitnessOutcome(name: witness.name, result: cosigned.checkpoint.take(reply, of: witness.verifier))
            )
        }
        guard !cosigned.outcomes.isEmpty else { return cosigned }
        let before = journal.publishing.witnessAlarms()
        let alarms = cosigned.outcomes.flatMap { outcome in
            let beginning = "witness \(outcome.name): "
            switch outcome.result {
            case .cosigned: return [String]()
            case .alarm: return [beginning + outcome.description]
            // A witness that raised an alarm and does not answer now has not withdrawn it.
            case .failed: return before.filter { $0.hasPrefix(beginning) }
            }
        }
        try journal.publishing.remember(witnessAlarms: alarms)
        return cosigned
    }

    /// Ends the connections; a client that is released without this ends the process.
    func close() async throws { try await http.shutdown() }

    /// What a witness answered: lines with cosignatures, or why there are none.
    fileprivate struct Reply {
        var lines: [UInt8] = []
        var refusal: WitnessOutcome.Result?
    }

    /// A response of HTTP.
    private struct Answer {
        let status: UInt
        let body: [UInt8]
    }

    private func ask(_ url: String, _ signed: SignedCheckpoint, _ journal: Journal) async throws -> Reply {
        var size: UInt64 = 0
        // The first answer of a witness that knows the log is the size that it has seen.
        for _ in 0..<2 {
            guard let request = try journal.publishing.witnessRequest(signed, since: size) else {
                return Reply(refusal: .alarm(Self.isBehind(size, signed.checkpoint.size)))
            }
            guard let answer = try await post(request.body, to: url) else {
                return Reply(refusal: .failed("it does not answer"))
            }
            if answer.status == 200 { return Reply(lines: answer.body) }
            guard answer.status == 409 else { return Reply(refusal: Self.refusal(answer.status, seen: size)) }
            let text = String(decoding: answer.body, as: UTF8.self).split(separator: "\n").first ?? ""
            guard let seen = UInt64(text), seen != size else {
                return Reply(refusal: .failed("it answered without a size"))
            }
            size = seen
        }
        return Reply(refusal: .failed("its size changed while it was asked: try again"))
    }

    private static func isBehind(_ seen: UInt64, _ published: UInt64) -> String {
        "it has seen \(seen) events, and this log has published \(published): this log was restored from an older copy, or "
            + "another one has its name"
    }

    private static func refusal(_ status: UInt, seen size: UInt64) -> WitnessOutcome.Result {
        switch status {
        case 422:
            .alarm("it has seen a log of \(size) events that this one does not extend: one of them was changed")
        case 403: .failed("it does not accept the log's signature (403)")
        case 404: .failed("it does not know this log (404)")
        default: .failed("it answered with the status \(status)")
        }
    }

    /// Returns the answer to a request; nil if there is none.
    private func post(_ body: [UInt8], to url: String) async throws -> Answer? {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        var request = HTTPClientRequest(url: base + "/add-checkpoint")
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await http.execute(request, timeout: .seconds(10))
            let answer = try await response.body.collect(upTo: WitnessRequest.maximumBytes)
            return Answer(status: response.status.code, body: Array(answer.readableBytesView))
        } catch {
            try Task.checkCancellation()
            return nil
        }
    }
}

extension SignedCheckpoint {
    /// Adds the cosignatures of a witness.
    fileprivate mutating func take(_ reply: WitnessClient.Reply, of witness: NoteVerifier) -> WitnessOutcome.Result {
        if let refusal = reply.refusal { return refusal }
        do throws(ProofError) {
            self = try adding(reply.lines, of: [witness])
            return .cosigned
        } catch {
            return .failed("its answer is no cosignature: \(error)")
        }
    }
}
