internal import CZlib

/// Bytes that are deflated as they are added, in memory, with Debian's zlib.
@safe final class DeflatedBytes {
    /// The bytes deflated so far; complete after ``finish()``.
    private(set) var output: [UInt8] = []
    private var checksum = Checksum()
    /// The number of the bytes that were added.
    private(set) var size: UInt64 = 0
    /// Allocated separately, because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>

    private static let partLength = 64 << 10

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // It fails only if there is no memory.
        precondition(unsafe healthjournal_deflate_init_raw(stream) == Z_OK, "zlib has no memory")
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The CRC-32 of the bytes that were added.
    var crc: UInt32 { checksum.value }

    func add(_ bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: 1 << 30) {
            deflate(bytes[start..<min(start + (1 << 30), bytes.count)], Z_NO_FLUSH)
        }
    }

    func finish() { deflate([], Z_FINISH) }

    private func deflate(_ bytes: ArraySlice<UInt8>, _ flush: Int32) {
        size += UInt64(bytes.count)
        checksum.add(bytes)
        var bytes = bytes
        unsafe bytes.withUnsafeMutableBufferPointer { input in
            unsafe stream.pointee.next_in = input.baseAddress
            unsafe stream.pointee.avail_in = UInt32(input.count)
            var part = [UInt8](repeating: 0, count: Self.partLength)
            var isFull = true
            while isFull {
                let produced = unsafe part.withUnsafeMutableBufferPointer { output in
                    unsafe stream.pointee.next_out = output.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(output.count)
                    _ = unsafe CZlib.deflate(stream, flush)
                    return unsafe output.count - Int(stream.pointee.avail_out)
                }
                output += part[..<produced]
                isFull = produced == part.count
            }
        }
    }
}
