internal import CExpat
internal import Glibc
import HealthModel

/// The attributes of an element, valid while it is handled.
@safe struct XMLAttributes {
    /// Names and values in turn, and a null pointer at the end.
    private let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>

    fileprivate init(_ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>) { unsafe self.pairs = pairs }

    /// The value of an attribute; nil if the element does not have it.
    subscript(name: StaticString) -> String? {
        var index = 0
        while let other = unsafe pairs[index] {
            if unsafe strcmp(other, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
                return unsafe pairs[index + 1].map { unsafe String(cString: $0) }
            }
            index += 2
        }
        return nil
    }
}

/// What handles the elements of an XML document.
protocol XMLHandler: AnyObject {
    func begin(_ name: String, _ attributes: XMLAttributes)
    func end(_ name: String)
    /// A part of the document is missing: no element is open but the root.
    func forget()
}

/// Parses XML in parts with Debian's expat, and goes on after elements that are not well-formed.
///
/// Apple's exports have a document type that no parser accepts, and some contain characters that XML does not allow. The
/// document type is left out, with all entities it could declare. A character that is not allowed becomes a space. If an
/// element still fails, its line is skipped, and a new parser goes on within the root element.
@safe final class XMLStream {
    /// The maximum number of lines that are skipped; a document with more is refused.
    private static let maximumFaults = 1_000
    /// The maximum size of what precedes the root element, in bytes.
    private static let maximumProlog = 1 << 20
    /// The maximum nesting depth of elements.
    private static let maximumDepth = 32
    /// The maximum size of a start tag, in bytes.
    private static let maximumElement = 4 << 20
    /// A longer line is parsed in parts.
    private static let maximumLine = 1 << 20

    private let state: State
    /// The bytes read so far of the part before the root element; nil after that part.
    private var prolog: [UInt8]? = []
    /// The beginning of an incomplete line.
    private var line: [UInt8] = []
    private var lineNumber = 1
    /// How many bytes were parsed since an element began or ended.
    private var bytesWithoutProgress = 0
    /// How many bytes the present parser has parsed.
    private var parsedBytes = 0

    /// The numbers of the lines that were skipped.
    private(set) var skippedLines: [Int] = []
    /// How many characters were replaced.
    private(set) var replacedCharacters = 0

    /// What the callbacks of the parser need.
    @safe private final class State {
        let handler: any XMLHandler
        let root: String
        var parser: XML_Parser?
        /// Whether the root element has ended.
        var isComplete = false
        /// The number of open elements.
        var depth = 0
        /// Whether an element began or ended since this was last set to false.
        var hasProgress = false

        init(_ handler: any XMLHandler, root: String) { (self.handler, self.root) = (handler, root) }
    }

    /// `root` is the name of the document's root element.
    init(root: String, _ handler: any XMLHandler) throws(ModelError) {
        state = State(handler, root: root)
        try restart()
    }

    deinit { unsafe XML_ParserFree(state.parser) }

    private func restart() throws(ModelError) {
        unsafe XML_ParserFree(state.parser)
        unsafe state.parser = XML_ParserCreate("UTF-8")
        guard unsafe state.parser != nil else { throw ModelError(.invalid, "there is no memory for the parser") }
        state.depth = 0
        unsafe XML_SetUserData(state.parser, Unmanaged.passUnretained(state).toOpaque())
        unsafe XML_SetElementHandler(
            state.parser,
            { context, name, attributes in
                guard let context = unsafe context, let name = unsafe name, let attributes = unsafe attributes else {
                    return
                }
                let state = unsafe Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
                state.depth += 1
                state.hasProgress = true
                if state.depth <= XMLStream.maximumDepth {
                    unsafe state.handler.begin(String(cString: name), XMLAttributes(attributes))
                } else {
                    unsafe XML_StopParser(state.parser, 0)
                }
            },
            { context, name in
                guard let context = unsafe context, let name = unsafe name else { return }
                let state = unsafe Unmanaged<State>.fromOpaque(context).takeUnretainedValue()
                let text = unsafe String(cString: name)
                state.depth -= 1
                state.hasProgress = true
                if state.depth == 0, text == state.root { state.isComplete = true }
                state.handler.end(text)
            }
        )
    }

    /// Parses the next part of the document.
    func add(_ part: [UInt8]) throws(ModelError) {
        guard var prolog else { return try addLines(part) }
        prolog += part
        self.prolog = prolog
        guard let start = try Self.endOfProlog(prolog) else {
            guard prolog.count <= Self.maximumProlog else {
                throw ModelError(.invalid, "has no root element \(state.root) within its first MiB: it is no export")
            }
            return
        }
        self.prolog = nil
        lineNumber += prolog[..<start].count { $0 == 0x0A }
        try addLines(Array(prolog[start...]))
    }

    /// Ends the document.
    func finish() throws(ModelError) {
        guard prolog == nil else { throw ModelError(.invalid, "has no root element: it is no export") }
        if !line.isEmpty { try parse(line) }
        line = []
        guard state.isComplete else {
            throw ModelError(.invalid, "ends before its element \(state.root) does: a part of the file is missing")
        }
    }

    /// Returns where the document goes on behind its declaration and its type; nil if more bytes are needed.
    private static func endOfProlog(_ bytes: [UInt8]) throws(ModelError) -> Int? {
        guard let start = find("<!DOCTYPE", in: bytes, from: 0) else {
            // A root element without a document type before it.
            guard let open = bytes.firstIndex(of: UInt8(ascii: "<")) else { return nil }
            let isDeclaration = bytes[open...].starts(with: Array("<?".utf8))
            guard isDeclaration else { return bytes.count - open >= 9 ? open : nil }
            guard let end = find("?>", in: bytes, from: open),
                let next = bytes[end...].dropFirst(2).firstIndex(of: UInt8(ascii: "<")), bytes.count - next >= 9
            else { return nil }
            return next
        }
        guard let bracket = bytes[start...].firstIndex(of: UInt8(ascii: "[")),
            !bytes[start..<bracket].contains(UInt8(ascii: ">"))
        else {
            return bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        }
        return find("]>", in: bytes, from: bracket).map { $0 + 2 }
    }

    private static func find(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard bytes.count >= start + wanted.count else { return nil }
        return (start...bytes.count - wanted.count).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    /// Parses whole lines, so that a faulty one can be skipped.
    private func addLines(_ part: [UInt8]) throws(ModelError) {
        guard let end = part.lastIndex(of: 0x0A) else {
            line += part
            if line.count > Self.maximumLine {
                try parse(line)
                line = []
            }
            return
        }
        if line.isEmpty {
            try parse(Array(part[...end]))
        } else {
            try parse(line + part[...end])
        }
        line = Array(part[(end + 1)...])
    }

    private func parse(_ lines: [UInt8]) throws(ModelError) {
        var lines = lines
        for index in lines.indices where lines[index] < 0x20 && ![0x09, 0x0A, 0x0D].contains(lines[index]) {
            lines[index] = 0x20
            replacedCharacters += 1
        }
        var start = 0
        while start < lines.count {
            let status = unsafe lines.withUnsafeBufferPointer { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                    unsafe XML_Parse(
                        state.parser,
                        text.baseAddress.map { unsafe $0 + start },
                        Int32(lines.count - start),
                        0
                    )
                }
            }
            if state.hasProgress { bytesWithoutProgress = 0 }
            state.hasProgress = false
            bytesWithoutProgress += lines.count - start
            guard bytesWithoutProgress <= Self.maximumElement + lines.count else {
                let size = Self.maximumElement >> 20
                throw ModelError(.invalid, "has an element of more than \(size) MiB in line \(lineNumber)")
            }
            if status == XML_STATUS_OK {
                lineNumber += lines[start...].count { $0 == 0x0A }
                parsedBytes += lines.count - start
                return
            }
            guard state.depth <= Self.maximumDepth else {
                throw ModelError(.invalid, "has elements that are nested more than \(Self.maximumDepth) deep")
            }
            let place = unsafe start + max(0, Int(XML_GetCurrentByteIndex(state.parser)) - parsedBytes)
            let end = Self.endOfFault(lines, from: min(place, lines.count), state.root)
            let skipped = lineNumber + lines[start..<end].count { $0 == 0x0A }
            skippedLines.append(skipped)
            guard skippedLines.count <= Self.maximumFaults else {
                throw ModelError(
                    .invalid,
                    "has more than \(Self.maximumFaults) lines that are no XML, the last one in line \(skipped)"
                )
            }
            lineNumber = skipped + 1
            start = end + 1
            // What follows the root element is no content.
            guard !state.isComplete else { return }
            try restart()
            try enterRoot()
        }
    }

    /// Returns the last byte to skip: the end of the line or, without one, the byte before the next element.
    private static func endOfFault(_ lines: [UInt8], from place: Int, _ root: String) -> Int {
        if let end = lines[place...].firstIndex(of: 0x0A) { return end }
        let next = ["<Record", "<Workout", "</\(root)"].compactMap { find($0, in: lines, from: place + 1) }.min()
        return (next ?? lines.count) - 1
    }

    /// Makes a new parser go on within the root element.
    private func enterRoot() throws(ModelError) {
        state.handler.forget()
        let tag = Array("<\(state.root)>".utf8)
        let status = unsafe tag.withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                unsafe XML_Parse(state.parser, text.baseAddress, Int32(tag.count), 0)
            }
        }
        guard status == XML_STATUS_OK else { throw ModelError(.invalid, "cannot be parsed") }
        parsedBytes = tag.count
    }
}
