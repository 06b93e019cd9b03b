internal import Crypto
internal import FoundationEssentials
internal import Platform

/// Copies single files in chunks, and verifies each copy against its source.
enum BackupFiles {
    /// Copies a file under a temporary name, reads the copy back from the disk, and renames it.
    ///
    /// Returns the length and the SHA-256 of the file. The caller must sync the folder.
    static func copy(_ source: String, to path: String) throws -> (byteCount: Int, digest: String) {
        let beside = path + BackupLayout.unfinished
        do {
            let file = try DurableFile(path: beside, mode: .scratch)
            let (byteCount, digest) = try hash(DurableFile(path: source, mode: .read)) { chunk, offset in
                try file.write(chunk, at: offset, isSynced: false)
            }
            try file.sync()
            file.forget()
            guard try hash(file).digest == digest else { throw EventLogError.notKept(path) }
            try DurableFile.rename(beside, to: path)
            return (byteCount, digest)
        } catch {
            // On a full disk its space is needed.
            try? DurableFile.remove(beside)
            throw error
        }
    }

    /// Returns the length of a file and its SHA-256 in hexadecimal digits.
    static func hash(
        _ file: DurableFile,
        _ body: (_ chunk: [UInt8], _ offset: Int) throws -> Void = { _, _ in }
    ) throws -> (byteCount: Int, digest: String) {
        var hash = SHA256()
        var offset = 0
        while case let chunk = try file.read(at: offset, count: BackupLayout.chunkBytes), !chunk.isEmpty {
            hash.update(data: chunk)
            try body(chunk, offset)
            offset += chunk.count
        }
        return (offset, hexadecimal(hash.finalize()))
    }

    static func digest(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension EventLogError {
    static func notKept(_ path: String) -> EventLogError {
        EventLogError(.damaged, "\(path) does not return what was written to it; use another disk")
    }
}
