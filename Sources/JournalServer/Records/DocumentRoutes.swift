import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to attach files to a record, and to download them.
struct DocumentRoutes {
    let journal: Journal
    private let uploads = ConcurrencyLimiter(
        "uploads",
        total: BodyLimits.forms,
        perAccount: BodyLimits.formsPerAccount
    )

    func add(to group: RouterGroup<ServerContext>) {
        group.post("records/:record/documents", use: attach)
        group.get("records/:record/entries/:kind/:entry/content", use: save)
    }

    /// Authorizes the caller before it reads the file, so that a refused upload is not held in memory.
    @Sendable private func attach(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let record = try context.record()
        let boundary = try request.requireForm()
        let asker = try context.writer(request, reason: query["reason"])
        try await journal.admitDocument(to: record, asker)
        try request.requireLength(atMost: BodyLimits.formBytes)
        let slot = try uploads.acquire(for: asker.account)
        defer { withExtendedLifetime(slot) {} }
        let form = try DocumentForm(FormReader.parts(of: await request.formBytes(), boundary))
        let result = try await journal.attachDocument(
            form.bytes,
            form.content,
            to: record,
            context.writer(request, body: form.digest, reason: query["reason"])
        )
        let location = result.entry.map { "/v1/records/\(record.text)/entries/\(Document.kind.name)/\($0.text)" }
        return result.response(.created, location: location)
    }

    @Sendable private func save(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf"])
        guard try context.kind() == Document.kind else { throw JournalError.noFile }
        let file: AttachedFile
        do {
            file = try await journal.document(
                context.entry(),
                of: context.record(),
                asOf: query.asOf,
                context.requireCaller()
            )
        } catch let error as JournalError where error.code == .refused {
            // An entry that the caller may not see is reported as missing.
            throw JournalError(.notFound, "there is no such entry")
        }
        var response = Response(file.bytes, type: .octets)
        if let type = file.harmlessType { response.headers[.contentType] = type }
        response.headers[.contentDisposition] = "attachment; filename*=UTF-8''\(file.name.asFilename)"
        return response
    }
}

extension AttachedFile {
    /// Types that browsers display without executing their content; all others are sent as plain bytes.
    static let harmlessTypes = ["application/pdf", "image/gif", "image/jpeg", "image/png", "image/webp"]

    fileprivate var harmlessType: String? {
        guard let mediaType else { return nil }
        let type = mediaType.prefix { $0 != ";" }.lowercased().trimming(\.isWhitespace)
        return AttachedFile.harmlessTypes.first { $0 == type }
    }
}

extension String {
    /// Encodes a file name for a header (RFC 8187), with path separators replaced.
    fileprivate var asFilename: String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return replacing("/", with: "_").replacing("\\", with: "_").utf8
            .map { byte in
                plain.contains(byte)
                    ? String(UnicodeScalar(byte))
                    : "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
            .joined()
    }
}
