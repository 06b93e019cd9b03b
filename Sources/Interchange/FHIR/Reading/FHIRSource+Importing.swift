import FoundationEssentials
import HealthModel

extension FHIRSource {
    /// The size from which the data of a resource that stays foreign becomes the file of a document, in bytes.
    private static let largeFile = 256 << 10

    /// What a resource becomes.
    struct Imported {
        var entry: ImportedEntry
        /// What of the resource cannot be read; nil if it is understood.
        var fault: ModelError?
        /// Whether the entry states what its source states.
        ///
        /// Otherwise it says nothing about a former entry of the same resource.
        var isUnderstood: Bool
    }

    /// Returns the entry that the resource becomes.
    ///
    /// A date that cannot be read is left out, and named as a fault, so that an allergy is seen whatever its date is; but the end
    /// of a statement is never left out. Any other element that cannot be read makes the resource foreign. Throws if the
    /// resource cannot be kept.
    func imported(
        as entry: UUID,
        now: Instant,
        source: String,
        in context: FHIRContext
    ) throws -> Imported {
        do {
            return try imported(as: entry, now: now, source: source, in: context, reading: element)
        } catch let fault as ModelError {
            if let readable = element.withoutUnreadableDates,
                let found = try? imported(as: entry, now: now, source: source, in: context, reading: readable),
                found.isUnderstood
            {
                return Imported(entry: found.entry, fault: fault, isUnderstood: true)
            }
            let found = try imported(as: entry, now: now, source: source, in: context, reading: nil)
            return Imported(entry: found.entry, fault: fault, isUnderstood: false)
        }
    }

    /// Returns the entry that the resource becomes; without a resource to read, a foreign one.
    ///
    /// Throws if an element has a wrong type, or a date is none. What the resource says but an entry cannot, such as a date
    /// before 1900, makes the resource foreign.
    private func imported(
        as entry: UUID,
        now: Instant,
        source: String,
        in context: FHIRContext,
        reading read: FHIRElement?
    ) throws -> Imported {
        let isOwn = !isOlderVersion && FHIRExtension.entry(of: element) != nil
        let isKept = try !isOwn || FHIRExtension.own(FHIRExtension.kept, of: element) != nil
        let plain = isOwn ? element.value.withoutOwnMembers : element.value
        var context = isOwn ? try FHIRContext(ofOwn: element, files: context) : context
        context.isWrittenHere = isOwn && !isKept
        var meaning =
            try isOlderVersion ? nil : read.flatMap { try FHIRInterpreter.meaning(of: $0, type: type, in: context) }
        var residue: FHIRResidue?
        if isOwn { residue = try FHIRResidue(of: element) }
        if let residue { meaning = try residue.applied(to: meaning ?? foreign(source)) }
        // Whether the kept text, with its context, gives the same entry.
        var isPlain =
            !isOwn && !isOlderVersion && read?.value == element.value
            && (meaning != nil || source.isEmpty && !FHIRInterpreter.dependsOnPatient(type))
        var isUnderstood = read != nil
        if let found = meaning, residue == nil, (try? found.content.validate(now: now)) == nil {
            meaning = nil
            (isPlain, isUnderstood) = (false, false)
        }
        if meaning == nil { context.removeTargets() }
        var result = meaning ?? foreign(source)
        if isKept, residue?.setsExtra != true {
            var kept = FHIRKept(plain, address: address)
            if meaning == nil, let file = largestFile(atLeast: Self.largeFile) {
                result = FHIRMeaning(Document.kind)
                result[Document.name] = title ?? type
                result[Document.mediaType] = file.mediaType
                result.content.date = date
                result.file = file
            }
            if let file = result.file { kept.takeOut(file.bytes) }
            if isOwn { isPlain = kept.says(result.content, in: context) }
            var extra = kept.extra
            if extra.contains(where: { $0.json.utf8.count > Limits.extraJSON }) {
                result = FHIRMeaning(Document.kind)
                result[Document.name] = title ?? type
                result[Document.mediaType] = "application/fhir+json"
                result.content.date = date
                result.file = FHIRFile(mediaType: nil, bytes: JSONWriter.bytes(kept.resource))
                kept.takeOutAll()
                extra = kept.extra
            }
            result.content.extra += extra + [context.extra].compactMap(\.self)
            if isPlain, result.file == nil { result.content = FHIRKept.marking(result.content) }
        } else {
            result.content = result.content.withoutMark
        }
        do { try result.content.validate(now: now) } catch {
            throw ModelError(error.code, field: path.field, "cannot be kept: \(error.message)")
        }
        var imported = ImportedEntry(
            id: entry,
            content: result.content,
            attachment: result.file?.bytes,
            path: path.text
        )
        imported.isRetracted = isDeleted || element.isEnteredInError
        imported.updated = updated
        return Imported(entry: imported, fault: nil, isUnderstood: isUnderstood)
    }

    /// What the resource says with its context, without its document and its kept text.
    func content(in context: FHIRContext) throws -> EntryContent {
        try (FHIRInterpreter.meaning(of: element, type: type, in: context) ?? foreign("")).content
    }

    /// When the source last changed the resource, if it says so.
    private var updated: Instant? {
        if case .string(let text)? = element.value["meta"]?["lastUpdated"] { try? Instant(parsing: text) } else { nil }
    }

    private func foreign(_ source: String) -> FHIRMeaning {
        var meaning = FHIRMeaning(Foreign.kind)
        meaning[Foreign.resourceType] = type
        meaning[Foreign.title] = title
        meaning[Foreign.source] = source.isEmpty ? nil : source
        meaning[Foreign.reference] = reference.flatMap { $0.utf8.count <= 1_000 ? $0 : nil }
        meaning.content.date = date
        return meaning
    }

    /// What the resource is about, from the elements in which resources mostly say so.
    private var title: String? { Self.title(of: element.value) }

    static func title(of value: JSONValue) -> String? {
        for name in [
            "title", "description", "code", "vaccineCode", "type", "medicationCodeableConcept", "category", "name",
        ] {
            if let text = value[name]?.words {
                let line = text.asReceived(isLine: true)
                return line.count > 200 ? line.prefix(199) + "…" : line
            }
        }
        return nil
    }

    /// A date that says when it was, from the elements in which resources mostly contain one.
    private var date: OccurredDate? { Self.date(of: element.value) }

    static func date(of value: JSONValue) -> OccurredDate? {
        let names = [
            "effectiveDateTime", "performedDateTime", "occurrenceDateTime", "onsetDateTime", "authoredOn", "recorded",
            "date", "started", "created", "issued", "recordedDate", "sent",
        ]
        let periods = ["period", "effectivePeriod", "performedPeriod", "billablePeriod", "occurrencePeriod"]
        let candidates = names.map { value[$0] } + periods.map { value[$0]?["start"] }
        for candidate in candidates {
            guard case .string(let text)? = candidate, let date = try? OccurredDate(parsing: text),
                date.day >= Day.earliestEntered
            else { continue }
            return date
        }
        return nil
    }

    private func largestFile(atLeast size: Int) -> FHIRFile? {
        element.value.attachments
            .compactMap { attachment -> FHIRFile? in
                guard case .string(let text)? = attachment["data"], text.utf8.count >= size,
                    let bytes = FHIRData.bytes(text)
                else { return nil }
                let type = if case .string(let type)? = attachment["contentType"] { type } else { String?.none }
                return FHIRFile(mediaType: type, bytes: bytes)
            }
            .max { $0.bytes.count < $1.bytes.count }
    }
}

extension JSONValue {
    /// The words of a text, of a CodeableConcept, or of the first of several.
    fileprivate var words: String? {
        switch self {
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let items): return items.lazy.compactMap(\.words).first
        case .object:
            if let text = self["text"]?.words { return text }
            guard case .array(let codings)? = self["coding"] else { return nil }
            return codings.lazy.compactMap { $0["display"]?.words }.first
                ?? codings.lazy.compactMap { $0["code"]?.words }.first
        default: return nil
        }
    }

    /// All objects at any depth that contain `data`.
    fileprivate var attachments: [JSONValue] {
        switch self {
        case .array(let items): items.flatMap(\.attachments)
        case .object(let members):
            (self["data"] == nil ? [] : [self]) + members.flatMap { $0.value.attachments }
        default: []
        }
    }

    /// A resource without what a journal adds to it: its identifier and its extensions.
    var withoutOwnMembers: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            members.compactMap { member in
                guard case .array(let items) = member.value else { return member }
                let kept: [JSONValue]
                switch member.name {
                case "identifier":
                    let own: [JSONValue] = [.string(FHIRExtension.entrySystem), .string(FHIR.recordSystem)]
                    kept = items.filter { item in !own.contains { item["system"] == $0 } }
                case "extension":
                    kept = items.filter { item in
                        if case .string(let url)? = item["url"] { !url.hasPrefix(FHIR.extensionBase) } else { true }
                    }
                default: return member
                }
                return kept.isEmpty ? nil : Member(member.name, .array(kept))
            }
        )
    }
}
