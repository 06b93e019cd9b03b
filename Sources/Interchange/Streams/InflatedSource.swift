internal import CZlib
import HealthModel

/// Inflates a member of a zip archive in parts, with Debian's zlib.
@safe final class InflatedSource: ByteSource {
    private var source: FileSource
    private var input: [UInt8] = []
    private var inputStart = 0
    /// Allocated separately, because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var crc = Checksum()
    private let expectedCRC: UInt32
    private var isAtEnd = false
    /// Whether all compressed bytes were given to zlib, which may still have output.
    private var isDrained = false

    /// `source` are the compressed bytes, and `crc` the CRC-32 of the member.
    init(_ source: FileSource, crc: UInt32) throws(ModelError) {
        self.source = source
        expectedCRC = crc
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe healthjournal_inflate_init_raw(stream) == Z_OK else {
            throw ModelError(.invalid, "the archive cannot be unpacked")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func next() throws(ModelError) -> [UInt8] {
        if isAtEnd { return [] }
        var output = [UInt8](repeating: 0, count: ReadableFile.partLength)
        var produced = 0
        while produced < output.count, !isAtEnd {
            if inputStart == input.count, !isDrained {
                input = try source.next()
                inputStart = 0
                isDrained = input.isEmpty
            }
            let before = produced
            let status = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe output.withUnsafeMutableBufferPointer { output in
                    unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + inputStart }
                    unsafe stream.pointee.avail_in = UInt32(input.count - inputStart)
                    unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + produced }
                    unsafe stream.pointee.avail_out = UInt32(output.count - produced)
                    let status = unsafe inflate(stream, Z_NO_FLUSH)
                    inputStart = unsafe input.count - Int(stream.pointee.avail_in)
                    produced = unsafe output.count - Int(stream.pointee.avail_out)
                    return status
                }
            }
            switch status {
            case Z_OK, Z_BUF_ERROR:
                guard !isDrained || produced > before else {
                    throw ModelError(.invalid, "the archive ends too early")
                }
            case Z_STREAM_END: isAtEnd = true
            default: throw ModelError(.invalid, "the archive is damaged")
            }
        }
        output.removeLast(output.count - produced)
        crc.add(output[...])
        if isAtEnd, crc.value != expectedCRC {
            throw ModelError(.invalid, "the archive is damaged: its checksum differs")
        }
        return output
    }
}
