import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Serves records as resources of FHIR R4, for reading alone (https://hl7.org/fhir/R4/http.html).
///
/// Below `/fhir/at/` and a moment, the same addresses answer as they would have then, so that an ordinary client reads the
/// past by its base address. The routes are not in the OpenAPI description: FHIR has its own, at `metadata`.
struct FHIRService: Sendable {
    static let path = "/fhir"

    private let journal: Journal
    private let isSecure: Bool
    private let long: LongRequests

    init(_ services: Services) {
        journal = services.journal
        long = services.long
        isSecure = services.cookie.isSecure
    }

    /// Adds the routes of the present and of the past.
    func add(to router: Router<ServerContext>, _ authentication: AuthenticationMiddleware) {
        let open = router.group().add(middleware: FHIRAnswerMiddleware())
        let signedIn = open.group().add(middleware: authentication).add(middleware: CallerMiddleware())
        for base in [Self.path, Self.path + "/at/{moment}"] {
            open.get(RouterPath(base + "/metadata"), use: capabilities)
            signedIn.get(RouterPath(base + "/{type}"), use: limited(search))
            signedIn.post(RouterPath(base + "/{type}/_search"), use: limited(searchByForm))
            signedIn.get(RouterPath(base + "/{type}/{id}"), use: read)
            signedIn.get(RouterPath(base + "/{type}/{id}/_history"), use: limited(history))
            signedIn.get(RouterPath(base + "/{type}/{id}/_history/{version}"), use: limited(version))
            signedIn.get(RouterPath(base + "/{type}/{id}/$everything"), use: limited(everything))
            signedIn.get(RouterPath(base + "/{type}/{id}/$summary"), use: limited(summary))
            signedIn.get(RouterPath(base + "/{type}/{id}/{member}"), use: limited(search))
            signedIn.post(RouterPath(base + "/{type}/{id}/{member}/_search"), use: limited(searchByForm))
        }
    }

    /// Processes requests that may read every entry of a record, few of an account at once.
    private func limited(
        _ handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) -> @Sendable (Request, ServerContext) async throws -> Response {
        { [long] request, context in
            try await long.run(long.searches, context) { try await handler(request, context) }
        }
    }

    // MARK: - One resource

    @Sendable private func capabilities(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(FHIRAnswers.capabilities(base: Site(request, context, isSecure).base), type: .fhir)
    }

    @Sendable private func read(_ request: Request, _ context: ServerContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (type, moment, subset) = try (context.type(), context.moment(), FHIRParameters.subset(request))
        if let text = context.parameters.get("id"), let place = FHIRTrail.place(of: text) {
            let found = try await trail(type, place, asOf: moment, caller).first { $0["id"] == .string(text) }
            guard let found else { throw JournalError(.notFound, "there is no such resource") }
            return Response(subset.applied(to: found), type: .fhir).weaklyTagged(place.position)
        }
        let id = try context.resource()
        if type == "Binary", let file = try await file(id, asOf: moment, request, caller) { return file }
        let found =
            type == "Patient"
            ? try await long.run(long.searches, context) { [journal] in
                try await journal.exports.patientFHIR(id, asOf: moment, caller)
            }
            : try await journal.exports.resourceFHIR(type, id, asOf: moment, caller)
        if let version = found.version, request.holds(version) {
            return Response(status: .notModified).weaklyTagged(version)
        }
        guard let resource = found.resource else { throw FHIRProblem.deleted }
        let response = Response(subset.applied(to: resource), type: .fhir)
        return found.version.map(response.weaklyTagged) ?? response
    }

    /// The file of a document: its bytes, or a resource if the client asks for JSON; nil for another entry.
    private func file(
        _ id: UUID,
        asOf moment: AsOf?,
        _ request: Request,
        _ caller: Caller
    ) async throws -> Response? {
        let file: AttachedFile
        do {
            file = try await journal.entries.document(id, of: journal.entries.record(ofEntry: id), asOf: moment, caller)
        } catch {
            switch error.code {
            case .refused, .notFound: return nil
            default: throw error
            }
        }
        if try FHIRFormat.isRequested(by: request) {
            let type = file.mediaType ?? AnswerType.octets.rawValue
            let resource = FHIRAnswers.binary(file.bytes, type, id: id.text)
            return Response(try FHIRParameters.subset(request).applied(to: resource), type: .fhir)
        }
        var response = Response(file.bytes, type: .octets)
        if let type = file.harmlessType { response.headers[.contentType] = type }
        response.headers[.contentDisposition] = "attachment; filename=\"\(id.text)\""
        return response
    }

    @Sendable private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (type, id) = try (context.type(), context.resource())
        guard type != "Patient" else { throw FHIRProblem.patientVersions }
        let subset = try FHIRParameters.subset(request)
        var versions = try await journal.exports.versionsFHIR(type, id, asOf: context.moment(), context.requireCaller())
        for index in versions.indices { versions[index].resource = versions[index].resource.map(subset.applied) }
        let site = Site(request, context, isSecure)
        return Response(
            FHIRAnswers.history(versions, type: type, id: id.text, base: site.base, own: site.own),
            type: .fhir
        )
    }

    @Sendable private func version(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (type, id) = try (context.type(), context.resource())
        guard type != "Patient" else { throw FHIRProblem.patientVersions }
        guard let position = context.parameters.get("version").flatMap(UInt64.init) else { throw FHIRProblem.noVersion }
        let subset = try FHIRParameters.subset(request)
        let versions = try await journal.exports.versionsFHIR(type, id, asOf: context.moment(), context.requireCaller())
        guard let version = versions.first(where: { $0.stamp.position == position }) else {
            throw FHIRProblem.noVersion
        }
        guard let resource = version.resource else { throw FHIRProblem.deleted }
        return Response(subset.applied(to: resource), type: .fhir).weaklyTagged(position)
    }

    // MARK: - What the journal itself knows

    /// Returns resources of a type from the trail of a record or an entry, among them the one at a position.
    private func trail(
        _ type: String,
        _ place: (stream: UUID, position: UInt64),
        asOf moment: AsOf?,
        _ caller: Caller
    ) async throws -> [JSONValue] {
        switch type {
        case "Consent": try await journal.exports.consentsFHIR(of: place.stream, asOf: moment, caller)
        case "Provenance": try await journal.exports.provenancesFHIR(of: place.stream, as: nil, asOf: moment, caller)
        case "AuditEvent" where place.position > 0:
            try await journal.exports
                .auditEventsFHIR(
                    of: place.stream,
                    asOf: moment,
                    after: place.position - 1,
                    limit: 1,
                    caller
                )
                .resources.map(\.0)
        default: []
        }
    }

    /// Searches what the journal itself knows; resources of these types that were imported are not among it.
    private func findTrail(
        _ type: String,
        _ search: FHIRSearch,
        asOf moment: AsOf?,
        _ caller: Caller
    ) async throws -> FHIRPage {
        if type == "Provenance" {
            guard let target = search.target else { throw FHIRProblem.noTarget }
            let all = try await journal.exports.provenancesFHIR(of: target.entry, as: target.type, asOf: moment, caller)
            let version = target.version.map { JSONValue.string(FHIRTrail.id(target.entry, $0)) }
            let found = all.filter { version == nil || $0["id"] == version }
            return FHIRPage(found, search)
        }
        guard let record = search.patient else { throw FHIRProblem.noPatient }
        if type == "Consent" {
            let found = try await journal.exports.consentsFHIR(of: record, asOf: moment, caller).filter(search.admits)
            return FHIRPage(found, search)
        }
        var (after, last) = (UInt64(0), UInt64?.none)
        if case .trail(let start, let end)? = search.cursor { (after, last) = (start, end) }
        let page = try await journal.exports.auditEventsFHIR(
            of: record,
            asOf: moment,
            after: after,
            through: last,
            // A search that only counts looks at all.
            limit: search.count == 0 ? .max : search.count,
            caller
        )
        let found = page.resources.filter { search.admits(recordedAt: $0.1) }.map(\.0)
        if search.count == 0 { return FHIRPage(total: found.count) }
        return FHIRPage(resources: found, next: page.end.map { .trail(after: $0, through: page.last) })
    }

    // MARK: - Searches

    @Sendable private func search(_ request: Request, _ context: ServerContext) async throws -> Response {
        let parameters = try FHIRParameters.parse(request.uri.query ?? "")
        return try await find(parameters, request, context)
    }

    /// A search whose parameters are a form, so that no log of a proxy contains them.
    @Sendable private func searchByForm(_ request: Request, _ context: ServerContext) async throws -> Response {
        try request.requireMediaType(["application/x-www-form-urlencoded"])
        let form = String(decoding: try await request.bytes(atMost: BodyLimits.strangersBytes), as: UTF8.self)
        let parameters = try FHIRParameters.parse(request.uri.query ?? "") + FHIRParameters.parse(form)
        return try await find(parameters, request, context)
    }

    /// Searches for the type that the address names, perhaps in the compartment of a Patient.
    private func find(
        _ parameters: [FHIRSearch.Parameter],
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        let member = try context.member()
        let type = try member ?? context.type()
        let site = Site(request, context, isSecure)
        let search = try FHIRParameters.search(
            of: type,
            in: member == nil ? nil : context.resource(),
            parameters,
            request,
            servers: site.servers
        )
        let (moment, caller) = (try context.moment(), try context.requireCaller())
        let bytes: [UInt8]
        if FHIRTrail.types[type] != nil {
            bytes = site.written(try await findTrail(type, search, asOf: moment, caller), search)
        } else if type == "Patient" {
            bytes = site.written(try await journal.exports.searchPatientsFHIR(search, asOf: moment, caller), search)
        } else if let patient = search.patient {
            bytes = try await find(search, of: patient, site, asOf: moment, caller)
        } else if let ids = search.ids, ids.count == 1, let id = ids.first {
            bytes = try await find(id, search, site, asOf: moment, caller)
        } else {
            throw FHIRProblem.noPatient
        }
        return Response(bytes, type: .fhir)
    }

    /// Searches a record.
    private func find(
        _ search: FHIRSearch,
        of record: UUID,
        _ site: Site,
        asOf moment: AsOf?,
        _ caller: Caller
    ) async throws(JournalError) -> [UInt8] {
        try await journal.exports.searchFHIR(search, of: record, asOf: moment, at: site.address(search), caller) {
            site.written($0, search)
        }
    }

    /// Searches for one entry; one that the caller may not see is not found.
    private func find(
        _ entry: UUID,
        _ search: FHIRSearch,
        _ site: Site,
        asOf moment: AsOf?,
        _ caller: Caller
    ) async throws -> [UInt8] {
        do {
            let record = try journal.entries.record(ofEntry: entry)
            return try await journal.exports.searchFHIR(
                search,
                of: record,
                asOf: moment,
                at: site.address(search),
                caller
            ) { page in
                // Nothing is said of the record of an entry that is not shown.
                var page = page
                page.isPartial = page.isPartial && !page.resources.isEmpty
                return site.written(page, search)
            }
        } catch {
            switch error.code {
            case .notFound, .refused, .erased: return site.written(FHIRPage(total: 0), search)
            default: throw error
            }
        }
    }

    @Sendable private func everything(_ request: Request, _ context: ServerContext) async throws -> Response {
        try context.requirePatient()
        let (site, caller) = (Site(request, context, isSecure), try context.requireCaller())
        let parameters = try FHIRParameters.parse(request.uri.query ?? "")
        let search = try FHIRParameters.search(of: nil, parameters, request, servers: site.servers)
        let bytes = try await find(search, of: context.resource(), site, asOf: context.moment(), caller)
        return Response(bytes, type: .fhir)
    }

    @Sendable private func summary(_ request: Request, _ context: ServerContext) async throws -> Response {
        try context.requirePatient()
        let exported = try await journal.exports.export(
            context.resource(),
            ReadOptions(asOf: context.moment()),
            by: context.requireCaller()
        )
        var bytes: [UInt8] = []
        try await exported.writePatientSummary { bytes += $0 }
        return Response(bytes, type: .fhir)
    }
}

/// The addresses of the service as the client knows it.
private struct Site {
    private let root: String
    private let moment: String?
    private let path: String

    init(_ request: Request, _ context: ServerContext, _ isSecure: Bool) {
        root = request.origin(isSecure: isSecure) + FHIRService.path
        moment = context.parameters.get("moment")
        let parts = request.uri.path.split(separator: "/").dropFirst(moment == nil ? 1 : 3)
        path = parts.filter { $0 != "_search" }.joined(separator: "/")
    }

    /// The address below which the types are, of the moment that the request is about.
    var base: String { moment.map(base(at:)) ?? root }

    var own: String { "\(base)/\(path)" }

    /// The addresses below which the resources of the service are, without the scheme, which a proxy may change.
    var servers: [String] { [base, root].map { $0.replacing(/^https?:\/\//, with: "") } }

    private func base(at moment: String) -> String { "\(root)/at/\(moment.percentEncoded)" }

    /// The address of a page of a search, with every parameter and the place at which the page begins.
    func address(_ search: FHIRSearch) -> String {
        address(search.cursor.map(search.parameters) ?? search.used)
    }

    /// Writes a page of a search.
    func written(_ page: FHIRPage, _ search: FHIRSearch) -> [UInt8] {
        JSONWriter.bytes(
            FHIRAnswers.page(
                page.resources.map(search.subset.applied),
                total: page.total,
                base: base,
                own: address(search.used),
                next: page.next.map { address(search.parameters(of: $0), pinnedTo: page.position) },
                isPartial: page.isPartial
            )
        )
    }

    /// The address with parameters; a page after the first one is of the same moment as that.
    private func address(_ parameters: [FHIRSearch.Parameter], pinnedTo position: UInt64? = nil) -> String {
        let start = position.map { base(at: String($0)) } ?? base
        let query = parameters.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        return "\(start)/\(path)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

extension FHIRPage {
    /// A page of resources that were all found.
    fileprivate init(_ found: [JSONValue], _ search: FHIRSearch) {
        let start = if case .offset(let offset)? = search.cursor { min(offset, found.count) } else { 0 }
        let end = min(start + search.count, found.count)
        self.init(
            resources: Array(found[start..<end]),
            total: found.count,
            next: end < found.count && search.count > 0 ? .offset(end) : nil
        )
    }
}

extension ServerContext {
    /// The type of resources that the address names.
    fileprivate func type() throws -> String {
        guard let type = parameters.get("type"), FHIRTypes.isOfR4(type) else {
            throw JournalError(.notFound, "FHIR R4 has no such type of resources")
        }
        return type
    }

    /// The type of resources in the compartment of a Patient that the address names; nil if it names none.
    fileprivate func member() throws -> String? {
        guard let member = parameters.get("member") else { return nil }
        try requirePatient()
        guard FHIRTypes.isOfR4(member) else {
            throw JournalError(.notFound, "FHIR R4 has no such type of resources")
        }
        return member
    }

    /// Only a Patient has operations and a compartment.
    fileprivate func requirePatient() throws {
        guard try type() == "Patient" else { throw JournalError(.notFound, "there is no such operation") }
    }

    fileprivate func resource() throws -> UUID {
        guard let id = parameters.get("id").flatMap({ UUID(uuidString: $0) }) else {
            throw JournalError(.notFound, "there is no such resource")
        }
        return id
    }

    /// The moment that the address names; nil for the present.
    fileprivate func moment() throws -> AsOf? {
        guard let text = parameters.get("moment") else { return nil }
        do {
            return try AsOf(parsing: text.hasPrefix("#") ? String(text.dropFirst()) : text)
        } catch {
            throw JournalError(.invalid, error.text)
        }
    }
}

extension Response {
    /// Adds the version as FHIR does: weakly, because the same version can be written in several ways.
    fileprivate func weaklyTagged(_ version: UInt64) -> Response {
        var response = self
        response.headers[.eTag] = "W/" + EntityTag(version: version).text
        return response
    }
}
