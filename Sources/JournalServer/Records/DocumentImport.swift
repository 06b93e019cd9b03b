import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Imports a document that was sent over HTTP, in the native format, in that of Purus Health or Mango Health, or in
/// FHIR.
struct DocumentImport {
    let journal: Journal
    /// The epoch of a Purus document, the zone in which its birthdates were days, and the currency of costs without
    /// one.
    var epoch = PurusOptions.Epoch.unix
    var zone: TimeZone?
    var currency: String?
    /// Whether a part of a document of FHIR that cannot be read refuses all of it.
    var isStrict = false

    /// The largest document, in bytes; it is held in memory together with its encoded form.
    static let documentBytes = 6 << 20

    func take(_ bytes: [UInt8], isTrial: Bool, _ caller: Caller) async throws -> [ImportReport] {
        var caller = caller
        caller.source = .import
        let value = try JSONReader.read(bytes)
        if MangoDocument.isDocument(value) {
            let users = try MangoDocument.read(value, options: journal.imports.mangoOptions(isTrial: isTrial))
            return try await journal.imports.take(users, isTrial: isTrial, caller)
        }
        if FHIRDocument.isDocument(value) {
            var options = try journal.imports.fhirOptions(isTrial: isTrial)
            options.isStrict = isStrict
            let records = try FHIRDocument.read(bytes, options: options)
            return try await journal.imports.take(
                records,
                digest: BlobStore.digest(of: bytes),
                isTrial: isTrial,
                caller
            )
        }
        if value.isNative {
            return try await journal.imports.take(
                NativeDocument.readAll(bytes, now: journal.now),
                digest: BlobStore.digest(of: bytes),
                isTrial: isTrial,
                caller
            )
        }
        let options = PurusOptions(
            epoch: epoch,
            zone: zone ?? journal.zone,
            now: journal.now,
            namespaces: try journal.imports.purusNamespaces(isTrial: isTrial)
        )
        let document = try PurusDocument.read(bytes, options: options)
        let digest = BlobStore.digest(of: bytes)
        return [try await journal.imports.take(document, currency: currency, digest: digest, isTrial: isTrial, caller)]
    }
}

extension JSONValue {
    /// Whether a document, or the first of an array of documents, has the native format.
    fileprivate var isNative: Bool {
        if case .array(let items) = self { return items.first?.isNative ?? false }
        return self["format"] == .string(NativeDocument.format)
    }
}
