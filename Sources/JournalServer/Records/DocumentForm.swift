import Crypto
import HealthJournal
import HealthModel

/// A form with a file and the fields of its entry.
struct DocumentForm {
    let content: EntryContent
    let bytes: [UInt8]
    /// A digest that is equal for forms with equal content, whatever their boundaries; identifies a repeated request.
    let digest: [UInt8]

    static let file = "file"
    /// The fields besides the file: names of the entry's own fields.
    static let fields = [Document.name.name, Document.mediaType.name, "date", "comment"]

    init(_ parts: [FormPart]) throws {
        var content = EntryContent(kind: Document.kind)
        var hash = SHA256()
        var file: FormPart?
        var said: Set<String> = []
        for part in parts {
            let name = FormPart.shown(part.name)
            guard part.name == DocumentForm.file || DocumentForm.fields.contains(part.name) else {
                let known = ([DocumentForm.file] + DocumentForm.fields).joined(separator: ", ")
                throw JournalError(.invalid, field: name, "is not a field of this form; its fields are \(known)")
            }
            guard said.insert(part.name).inserted else {
                throw JournalError(
                    .invalid,
                    field: name,
                    "is given twice; attach each file with its own request"
                )
            }
            if part.name == DocumentForm.file {
                guard let filename = part.filename, !filename.isEmpty else {
                    throw JournalError(.invalid, field: name, "must be a file with a file name")
                }
                file = part
            } else {
                guard part.filename == nil else { throw JournalError(.invalid, field: name, "must not be a file") }
            }
        }
        guard let file else { throw JournalError(.invalid, field: DocumentForm.file, "is missing") }
        try content.set(Document.name.name, text: file.filename ?? "")
        if let mediaType = file.mediaType { try content.set(Document.mediaType.name, text: mediaType) }
        for part in parts where part.name != DocumentForm.file {
            let text = try part.text()
            // An empty form field sets nothing: the file's own name stays.
            if !text.isEmpty { try content.set(part.name, text: text) }
        }
        bytes = Array(file.bytes)
        for part in parts.sorted(by: { $0.name < $1.name }) {
            for text in [part.name, part.filename ?? "", part.mediaType ?? ""] {
                hash.update(data: Array("\(text.utf8.count):\(text)".utf8))
            }
            hash.update(data: Array("\(part.bytes.count):".utf8))
            hash.update(data: part.name == DocumentForm.file ? bytes : Array(part.bytes))
        }
        digest = Array(hash.finalize())
        self.content = content
    }
}
