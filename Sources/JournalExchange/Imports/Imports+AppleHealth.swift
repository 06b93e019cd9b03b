internal import EventLog
internal import Foundation
package import FoundationEssentials
internal import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension Journal.Imports {
    /// Reads an export of Apple Health for a record, and appends nothing.
    ///
    /// Throws if the caller may not import into the record, or if the file is no export.
    package func readAppleHealth(
        _ path: String,
        into record: UUID,
        types: [String] = [],
        raw: [String] = [],
        _ caller: Caller
    ) async throws(JournalError) -> AppleHealthExport {
        try await journal.retrying {
            try await journal.access.admit(caller, to: .importRecords)
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            return try AppleHealthExport(path, types: types, raw: raw) { TimeZone(identifier: $0) }
        }
    }

    /// The number of entries that are appended at a time.
    private static let partLength = 250

    /// Imports an export of Apple Health, in several appends.
    ///
    /// An export has more entries than one append can contain. If it is interrupted, the same import again adds the
    /// missing entries, as the same import: ``undoImport(into:at:_:)`` takes all of it back. What the export says of
    /// the person fills gaps of the profile and replaces nothing.
    ///
    /// The clinical records of each hospital are imported like a document of FHIR of that source. Returns a report for the
    /// measured values and one for each source, and the number of items left out as invalid.
    package func take(
        _ export: AppleHealthExport,
        into record: UUID,
        isTrial: Bool,
        _ caller: Caller,
        progress: (_ done: Int) -> Void = { _ in }
    ) async throws(JournalError) -> (reports: [ImportReport], refused: Int) {
        do {
            // Before anything is appended.
            let (clinical, invalid) = try clinicalRecords(of: export, into: record, isTrial: isTrial)
            let namespace = try journal.imports.namespaces(of: "apple", isTrial: isTrial).entries(record)
            var caller = caller
            caller.correlation = UUID(nameBased: namespace, "import\n\(export.digest)")
            var appleImport = PartedImport(record: record, profile: export.profile, digest: export.digest)
            let refused = try await export.forEachPart(Self.partLength, namespace, now: journal.now) { entries in
                try await take(part: entries, of: &appleImport, isTrial: isTrial, caller)
                progress(appleImport.done)
            }
            var reports: [ImportReport] = []
            if var report = appleImport.report {
                if appleImport.isBegun, !isTrial {
                    report.position = try await end(report, of: appleImport, caller) ?? report.position
                }
                reports.append(report)
            }
            caller.correlation = nil
            for (document, digest) in clinical {
                reports.append(try await take(document, digest: digest, isTrial: isTrial, caller))
            }
            guard !reports.isEmpty else { throw ModelError(.invalid, "contains nothing that becomes an entry") }
            return (reports, refused + invalid)
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the clinical records of each source with the digest of its files, and the number of files that are invalid.
    private func clinicalRecords(
        of export: AppleHealthExport,
        into record: UUID,
        isTrial: Bool
    ) throws -> (documents: [(ImportedRecord, digest: String)], invalid: Int) {
        var (documents, invalid) = ([(ImportedRecord, digest: String)](), 0)
        for (source, files) in export.clinicalRecords {
            var options = try journal.imports.fhirOptions(of: record, source: source, isTrial: isTrial)
            // The export belongs to one person, whatever ids the systems of a hospital gave to that person.
            options.isOfOnePerson = true
            // One file that a hospital wrote wrongly does not keep all others out.
            var alone = options
            alone.held = { _, _ in [] }
            let valid = files.filter { (try? FHIRDocument.read(resources: [$0], options: alone)) != nil }
            invalid += files.count - valid.count
            if valid.isEmpty { continue }
            let list = valid.map { "\(BlobStore.digest(of: $0.bytes))  \($0.name)\n" }.joined()
            let digest = BlobStore.digest(of: Array(list.utf8))
            do {
                documents += try FHIRDocument.read(resources: valid, options: options).map { ($0, digest) }
            } catch is ModelError {
                invalid += valid.count
            }
        }
        return (documents, invalid)
    }

    /// An import of several appends, as far as it is done.
    private struct PartedImport {
        let record: UUID
        let profile: RecordProfile
        let digest: String
        /// The name of the format, for the events that begin and end the import.
        var format = ""
        var report: ImportReport?
        var isBegun = false
        var done = 0
    }

    private func take(
        part entries: [ImportedEntry],
        of parted: inout PartedImport,
        isTrial: Bool,
        _ caller: Caller
    ) async throws {
        let (record, isFirst, isBegun) = (parted.record, parted.report == nil, parted.isBegun)
        let (profile, digest) = (parted.profile, parted.digest)
        let (report, hasBegun, format) = try await journal.retrying {
            try await journal.access.admit(caller, to: .importRecords)
            _ = try await journal.access.admit(caller, to: .manage, on: record)
            var document = ImportedRecord(
                id: record,
                profile: profile,
                entries: entries,
                shape: .appleHealth,
                unrepresented: []
            )
            document.isPart = true
            let subject = try journal.contents(for: .importing).record(record, asOf: journal.log.head(), .noEntries)?
                .profile.subject
            document.hasProfile = isFirst && !profile.values.isEmpty && subject == profile.subject
            var change = try Change(journal, caller)
            var report = try await take(document, nil, digest: digest, isTrial: isTrial, &change, caller)
            // There may be a hundred thousand of these.
            report.changes.removeAll { $0.what == .added }
            // An earlier run may have been interrupted after its last part.
            let wasBegun = try isBegun || isFirst && !isTrial && addedByOpenImport(into: record, caller) != nil
            guard !isTrial, !change.isEmpty else { return (report, wasBegun, document.sourceName) }
            if !wasBegun {
                let begun = ImportBegun(format: document.sourceName, digest: digest)
                try change.add(.importBegun(begun), in: .own(record), at: 0)
            }
            report.position = try await change.commit()?.last
            return (report, true, document.sourceName)
        }
        parted.report = parted.report.map { $0.adding(report) } ?? report
        (parted.isBegun, parted.format) = (hasBegun, format)
        parted.done += entries.count
    }

    /// Appends the end of an import; returns its position.
    private func end(_ report: ImportReport, of parted: PartedImport, _ caller: Caller) async throws -> UInt64? {
        try await journal.retrying {
            let ended = ImportEnded(
                format: parted.format,
                added: try addedByOpenImport(into: parted.record, caller) ?? report.added,
                corrected: report.corrected,
                retracted: report.retracted
            )
            var change = try Change(journal, caller)
            try change.add(.importEnded(ended), in: .own(parted.record))
            return try await change.commit()?.last
        }
    }

    /// Returns how many entries an import has added that has begun and not ended, also in a run that was interrupted; nil if
    /// there is no such import.
    private func addedByOpenImport(into record: UUID, _ caller: Caller) throws -> Int? {
        var added: Set<UUID> = []
        for position in try journal.medicalRecords.history(ofRecord: record, asOf: journal.log.head()).reversed() {
            let event = try journal.log.event(at: position)
            guard ImportRun(event.header) == ImportRun(caller) else { continue }
            switch event.header.type {
            case ImportEnded.type.rawValue: return nil
            case ImportBegun.type.rawValue: return added.count
            // What undoing an earlier import retracted is restored.
            case EntryAdded.type.rawValue, EntryRestored.type.rawValue: added.insert(event.header.entry)
            default: break
            }
        }
        return nil
    }
}

extension ImportReport {
    /// The report of a part together with that of the next one; changes that are only additions are not listed.
    fileprivate func adding(_ part: ImportReport) -> ImportReport {
        var sum = self
        sum.added += part.added
        sum.corrected += part.corrected
        sum.unchanged += part.unchanged
        sum.retracted += part.retracted
        sum.kept += part.kept
        sum.older += part.older
        sum.possibleDuplicates += part.possibleDuplicates
        sum.partialDates += part.partialDates
        sum.isProfileChanged = isProfileChanged || part.isProfileChanged
        sum.position = part.position ?? position
        sum.changes += part.changes
        sum.doubts += part.doubts
        sum.missingFiles += part.missingFiles
        return sum
    }
}
