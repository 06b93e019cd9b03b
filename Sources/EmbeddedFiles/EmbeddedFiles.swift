internal import CEmbeddedFiles

/// Returns the content of a file that the programs contain: templates, texts, lists.
///
/// The files are listed in `CEmbeddedFiles`, whose compiler embeds them (C23, `#embed`). The package manager's
/// `.embedInCode` writes each file as an array literal, which takes the Swift compiler minutes.
package func embeddedFile(_ name: String) -> [UInt8] {
    let file = unsafe embedded_file(name)
    guard let bytes = unsafe file.bytes else { preconditionFailure("CEmbeddedFiles lists no file named \(name)") }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
}
