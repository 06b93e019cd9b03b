/// Texts as requests bring them.
///
/// Each looks at the bytes first: what nearly every text is without is not worth the characters of all of them.
extension String {
    /// Browsers send the line breaks of a form as CR LF.
    var withUnixLineBreaks: String {
        utf8.contains(UInt8(ascii: "\r")) ? replacing("\r\n", with: "\n") : self
    }

    /// Whether there are at most so many Unicode scalars.
    func isNoLonger(than limit: Int) -> Bool { utf8.count <= limit || unicodeScalars.count <= limit }
}
