/// Vital signs that a device or another tool measured, which become entries of the patient's record.
package struct LoggedVitals: ClinicProfile {
    package var values: FieldValues

    package static let fields = TriageFindings.vitalFields

    /// The kinds of the entries that vital signs become.
    package static let kinds: Set<Kind> = [MeasuredValue.kind, Weight.kind]

    package init(values: FieldValues) { self.values = values }

    package func check() throws(ModelError) {
        try TriageFindings(values: values).check()
        if vitals == VitalSigns() { throw ModelError(.invalid, field: "", "has no vital sign") }
    }

    package var vitals: VitalSigns { TriageFindings(values: values).vitals }
}
