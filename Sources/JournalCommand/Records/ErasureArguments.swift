import ArgumentParser
import Glibc
import Platform

/// The options of the commands that erase a record or an entry.
struct ErasureArguments: ParsableArguments {
    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    @Option(
        name: .shortAndLong,
        help: "The file to write the receipt to (default: standard output).",
        completion: .file()
    )
    var output: String?

    /// Throws a usage error without a reason, or if the user can neither be asked nor has confirmed.
    func validate(reason: String) throws {
        if reason.isEmpty { throw ValidationError("an erasure requires a reason: --reason TEXT") }
        if !yes, isatty(STDIN_FILENO) == 0 { throw ValidationError.unconfirmed }
    }

    /// Opens the destination of the receipt; nil for the standard output.
    ///
    /// It is opened before the erasure, so that an unusable destination is reported first.
    func receiptFile() throws -> OutputFile? {
        try output.map { (path) throws(StorageError) in try OutputFile(path) }
    }
}
