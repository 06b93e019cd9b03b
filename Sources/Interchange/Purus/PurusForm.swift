import HealthModel

/// What the keys of a Purus document fill and are filled from: an entry or a profile.
struct PurusForm {
    let fields: [Field]
    var values: FieldValues
    var date: OccurredDate?
    var comment = ""
    var voiceEntryUsed = false
    var isPet = false
    var attachment: [UInt8]?

    init(fields: [Field]) {
        self.fields = fields
        values = FieldValues()
    }

    init(_ content: EntryContent, attachment: [UInt8]? = nil) {
        fields = content.kind.fields
        // A guess is left out: written, it would come back as if somebody had said it.
        values = content.givenValues
        date = content.date
        comment = content.comment
        voiceEntryUsed = content.voiceEntryUsed
        self.attachment = attachment
    }

    init(_ profile: RecordProfile) {
        fields = profile.fields
        values = profile.givenValues
        isPet = profile.subject == .animal
    }

    subscript(path: String) -> FieldValue? {
        get { fields.path(named: path).flatMap { values[$0] } }
        set {
            if let path = fields.path(named: path) { values[path] = newValue }
        }
    }
}
