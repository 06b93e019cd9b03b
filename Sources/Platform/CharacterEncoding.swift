internal import CPlatform

/// The character encodings of the C library, besides UTF-8, that files of other programs have.
package enum CharacterEncoding {
    /// Others are not asked for: the C library loads a module for each, and files choose the name.
    private static let names: Set<String> = {
        let numbered = (1250...1258).map { "WINDOWS-\($0)" } + (1...16).map { "ISO-8859-\($0)" }
        return Set(
            numbered + [
                "KOI8-R", "KOI8-U", "SHIFT_JIS", "EUC-JP", "ISO-2022-JP", "GB2312", "GBK", "GB18030", "BIG5", "EUC-KR",
                "MACINTOSH", "UTF-16", "UTF-16LE", "UTF-16BE",
            ]
        )
    }()

    /// Returns the text of bytes in an encoding, such as `windows-1251`; nil if there is no such encoding, or if the bytes are
    /// not valid in it.
    package static func decode(_ bytes: [UInt8], as name: String) -> String? {
        let name = name.uppercased()
        guard names.contains(name) else { return nil }
        // An error is the address -1.
        guard let converter = unsafe iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
            return nil
        }
        defer { unsafe _ = iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        // None of these encodings needs more than four bytes of UTF-8 for one of its own.
        var output = [CChar](repeating: 0, count: 4 * bytes.count + 4)
        var left = output.count
        let isValid = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                var (from, count, to) = (input.baseAddress, input.count, output.baseAddress)
                return unsafe iconv(converter, &from, &count, &to, &left) != -1
                    && iconv(converter, nil, nil, &to, &left) != -1
            }
        }
        guard isValid else { return nil }
        return String(validating: output.prefix(output.count - left).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
