package import FoundationEssentials

/// The files of a backup.
package struct BackupContents: Hashable, Sendable {
    /// An attachment, with the expected properties of its file.
    package struct Blob: Hashable, Sendable {
        /// `<subject>/<name>`.
        package let path: String
        package let byteCount: Int
        /// When the journal's file was last modified, in nanoseconds since 1970.
        package let modified: Int64
        /// SHA-256 of the file in hexadecimal digits.
        package let digest: String

        package init(path: String, byteCount: Int, modified: Int64, digest: String) {
            self.path = path
            self.byteCount = byteCount
            self.modified = modified
            self.digest = digest
        }

        /// The subject of the attachment.
        package var subject: UUID? { path.split(separator: "/").first.flatMap { UUID(uuidString: String($0)) } }
    }

    /// In ascending order and without a gap.
    package var segments: [BackupSegment] = []
    /// Sorted by path.
    package var blobs: [Blob] = []

    package init() {}

    /// The position of the last event.
    package var head: UInt64 { segments.last?.last ?? 0 }

    package var text: String {
        var text = ""
        for segment in segments { text += "segment \(segment.name) \(segment.byteCount)\n" }
        for blob in blobs { text += "blob \(blob.path) \(blob.byteCount) \(blob.modified) \(blob.digest)\n" }
        return text
    }

    /// Parses the text of a contents list, which is not trusted.
    ///
    /// Each list has exactly one valid text; any other is refused.
    package init(parsing text: String) throws(EventLogError) {
        var lines = BackupLines(text)
        for line in lines.takeAll("segment") { segments.append(try segment(line)) }
        for line in lines.takeAll("blob") { blobs.append(try blob(line)) }
        guard self.text.utf8.elementsEqual(text.utf8) else { throw BackupManifest.damaged }
    }

    private func segment(_ line: Substring) throws(EventLogError) -> BackupSegment {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let positions = BackupSegment.positions(ofName: parts[0]),
            positions.first - 1 == head, let byteCount = Int(parts[1]),
            byteCount > BackupLayout.segmentHeader, byteCount <= BackupLayout.maximumSegmentBytes
        else { throw BackupManifest.damaged }
        return BackupSegment(first: positions.first, last: positions.last, byteCount: byteCount)
    }

    private func blob(_ line: Substring) throws(EventLogError) -> Blob {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 4, BackupContents.isPath(parts[0]), blobs.last.map({ $0.path < parts[0] }) ?? true,
            let byteCount = Int(parts[1]), byteCount >= 0, let modified = Int64(parts[2]), parts[3].isDigest
        else { throw BackupManifest.damaged }
        return Blob(path: String(parts[0]), byteCount: byteCount, modified: modified, digest: String(parts[3]))
    }

    /// Reports whether a text has the form `<subject>/<name>`.
    ///
    /// The name consists of 1 to 128 hexadecimal digits, so the path cannot lead out of the subject's folder.
    static func isPath(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID(uuidString: String(parts[0])), id.uuidString.lowercased() == parts[0]
        else { return false }
        return (1...128).contains(parts[1].utf8.count) && parts[1].utf8.allSatisfy(\.isHexadecimal)
    }
}
