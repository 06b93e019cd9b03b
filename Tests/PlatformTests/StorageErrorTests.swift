import Platform
import Testing

@Suite("Errors of the filesystem and of the database")
struct StorageErrorTests {
    @Test("The description of every error is distinct and names the failed operation")
    func errors() {
        let codes: [StorageError.Code] = [
            .mapFull, .diskFull, .readersFull, .keyExists, .notFound, .corrupted, .versionMismatch, .notADatabase,
            .valueTooLarge, .badKeySize, .transactionFull, .tablesFull, .alreadyOpen, .networkFilesystem, .nestedWrite,
            .permissionDenied, .readOnlyFilesystem, .mapGrown, .diskFailed, .tooManyFiles, .halted, .symbolicLink,
            .isFolder, .notAFile, .foreignOwner, .tableNotOpen, .database(status: -1, explanation: "a bad status"),
            .other(5000),
        ]
        let texts = codes.map { StorageError($0, during: "write").description }
        #expect(Set(texts).count == codes.count)
        #expect(texts.allSatisfy { $0.hasPrefix("write: ") && $0.count > 15 })
    }
}
