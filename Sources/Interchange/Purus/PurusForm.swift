import HealthModel

/// The values of an entry or a profile, between the model and the keys of a Purus document.
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
        // Inferred values are left out: a later import would read them as stated ones.
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
