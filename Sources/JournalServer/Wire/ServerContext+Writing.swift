import Crypto
import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

extension ServerContext {
    /// Returns the caller with the request's reason and idempotency key.
    func writer(_ request: Request, body: [UInt8] = [], reason: String? = nil) throws -> Caller {
        var caller = try requireCaller()
        if let reason {
            // Validated here, because a request that changes nothing stores no reason and would not validate it.
            caller.reason = try JournalEvent.received(reason: reason)
        }
        guard let key = request.headers.value(of: .idempotencyKey) else { return caller }
        guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(
                "invalid",
                .badRequest,
                "must be 1 to 200 visible ASCII characters",
                field: "Idempotency-Key"
            )
        }
        var hash = SHA256()
        let head = [
            caller.account.text, key, request.method.rawValue, request.uri.string, request.mediaType,
            request.headers.value(of: .ifMatch) ?? "",
        ]
        // Each part is preceded by its length, so that different requests cannot produce the same input.
        for part in head { hash.update(data: Array("\(part.utf8.count):\(part)".utf8)) }
        hash.update(data: body)
        caller.request = RequestKey(key, digest: Array(hash.finalize()))
        return caller
    }
}

extension WriteResult {
    func response(
        _ status: HTTPResponse.Status = .ok,
        location: String? = nil,
        adding more: [JSONValue.Member] = []
    ) -> Response {
        var response = Response(.object(members + more), status: status).tagged(version)
        response.headers[.location] = location
        return response
    }
}
