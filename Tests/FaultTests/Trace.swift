import TestSupport

/// The operations of a child on the files of a journal, in order, as the shim recorded them.
struct Trace {
    enum Step {
        case open(file: Int, path: String, isNew: Bool, isEmptied: Bool)
        case write(file: Int, offset: Int, bytes: [UInt8])
        /// The end of a write to a file opened for write-through.
        case wroteThrough(file: Int, Range<Int>)
        /// A sync of a part of the file, or of the whole file.
        case sync(file: Int, part: Range<Int>?)
        /// A sync that failed, after which the system no longer writes the data that waited for it.
        case syncFailed(file: Int)
        case size(file: Int, Int)
        case rename(String, String)
        case unlink(String)
        case makeFolder(String)
        case syncFolder(String)
        /// A line that was printed.
        case said(String)
    }

    private(set) var steps: [Step] = []

    struct Unreadable: Error {}

    init(path: String) throws {
        let bytes = try FileBytes.read(path)
        var start = 0
        func integer(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[start + offset + $1]) << (8 * $1) }
        }
        while start + 24 <= bytes.count {
            let (kind, file, offset, length) = (integer(0, 4), integer(4, 4), integer(8, 8), integer(16, 8))
            start += 24
            let hasPayload = kind != 4 && kind != 5 && kind != 11
            guard !hasPayload || start + length <= bytes.count else { throw Unreadable() }
            let payload = hasPayload ? Array(bytes[start..<(start + length)]) : []
            start += payload.count
            let text = String(decoding: payload, as: UTF8.self)
            switch kind {
            case 1: steps.append(.open(file: file, path: text, isNew: offset & 1 != 0, isEmptied: offset & 2 != 0))
            case 2, 3:
                steps.append(.write(file: file, offset: offset, bytes: payload))
                if kind == 3 { steps.append(.wroteThrough(file: file, offset..<(offset + length))) }
            case 4: steps.append(.sync(file: file, part: length == 0 ? nil : offset..<(offset + length)))
            case 5: steps.append(.size(file: file, offset))
            case 6:
                let names = text.split(separator: "\0").map(String.init)
                guard names.count == 2 else { throw Unreadable() }
                steps.append(.rename(names[0], names[1]))
            case 7: steps.append(.unlink(text))
            case 8: steps.append(.makeFolder(text))
            case 9: steps.append(.syncFolder(text))
            case 10: for line in text.split(separator: "\n") { steps.append(.said(String(line))) }
            case 11: steps.append(.syncFailed(file: file))
            default: throw Unreadable()
            }
        }
    }
}
