import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Imports documents like the command line: each completely or not at all, and only data that the journal does not
/// have.
struct ImportRoutes {
    let journal: Journal
    private let imports = ConcurrencyLimiter(
        "imports",
        total: BodyLimits.forms,
        perAccount: BodyLimits.formsPerAccount
    )

    init(journal: Journal) {
        self.journal = journal
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.post("imports", use: take)
    }

    /// Authorizes the caller before it reads the document, so that a refused upload is not held in memory.
    @Sendable private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["dryRun", "epoch", "zone", "currency", "reason"])
        let isTrial = try query.flag("dryRun")
        var document = DocumentImport(journal: journal, currency: try query.currency)
        document.epoch =
            try query.value("epoch") { text throws(ModelError) in
                switch text {
                case "unix": .unix
                case "reference": .reference
                default: throw ModelError(.invalid, "must be unix or reference")
                }
            } ?? .unix
        document.zone = try query.value("zone") { text throws(ModelError) in
            guard let zone = TimeZone(identifier: text) else {
                throw ModelError(.invalid, "there is no time zone with that name")
            }
            return zone
        }
        var caller = try context.writer(request, reason: query["reason"])
        // Importing the same document again adds nothing, so an idempotency key is not needed.
        caller.request = nil
        try await journal.admitImport(caller)
        try request.requireMediaType(["application/json"])
        try request.requireLength(atMost: DocumentImport.documentBytes)
        let slot = try imports.acquire(for: caller.account)
        defer { withExtendedLifetime(slot) {} }
        let bytes = try await request.bytes(atMost: DocumentImport.documentBytes)
        let reports = try await document.take(bytes, isTrial: isTrial, caller)
        return Response(.object([.init("imports", .array(reports.map { $0.json(isTrial: isTrial) }))]))
    }
}
