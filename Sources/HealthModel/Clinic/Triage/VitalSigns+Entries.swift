/// The entries of a record that vital signs become.
extension VitalSigns {
    /// Returns one entry for each vital sign that was measured, in the order of the fields.
    package func entries(at moment: Instant) -> [EntryContent] {
        var entries: [EntryContent] = []
        func add(_ name: String, _ value: String?, _ unit: String) {
            guard let value else { return }
            var body = FieldValues()
            body[MeasuredValue.name] = .text(name)
            body[MeasuredValue.value] = .text(value)
            body[MeasuredValue.unit] = .text(unit)
            entries.append(EntryContent(kind: MeasuredValue.kind, date: .instant(moment), body: body))
        }
        add("Body temperature", temperature?.description, "°C")
        add("Heart rate", heartRate.map { "\($0)" }, "/min")
        add("Respiratory rate", respiratoryRate.map { isPanting == true ? "\($0), panting" : "\($0)" }, "/min")
        if let bloodPressure, let entry = bloodPressure.entry(at: moment) { entries.append(entry) }
        if let weight {
            var body = FieldValues()
            body[Weight.value] = .decimal(weight)
            body[Weight.unit] = .text("kg")
            entries.append(EntryContent(kind: Weight.kind, date: .instant(moment), body: body))
        }
        add("Capillary refill time", capillaryRefill?.description, "s")
        add("Mucous membranes", mucousMembrane?.rawValue, "")
        add("Oxygen saturation", oxygenSaturation.map { "\($0)" }, "%")
        add("Consciousness", consciousness?.rawValue, "")
        add("Pain", pain.map { "\($0)" }, "of 4")
        return entries
    }
}

extension BloodPressure {
    /// The blood pressure as an entry with a part for each value; nil if it has none.
    fileprivate func entry(at moment: Instant) -> EntryContent? {
        let values = [("systolic", systolic), ("diastolic", diastolic), ("mean", mean)]
        let parts = values.compactMap { name, value -> FieldValue? in
            guard let value else { return nil }
            var part = FieldValues()
            part[MeasuredValue.part] = .text(name)
            part[MeasuredValue.partValue] = .text("\(value)")
            part[MeasuredValue.partUnit] = .text("mmHg")
            return .group(part)
        }
        guard !parts.isEmpty else { return nil }
        var body = FieldValues()
        body[MeasuredValue.name] = .text("Blood pressure")
        if let systolic, let diastolic {
            body[MeasuredValue.value] = .text("\(systolic)/\(diastolic)")
            body[MeasuredValue.unit] = .text("mmHg")
        }
        body[MeasuredValue.parts] = .list(parts)
        return EntryContent(kind: MeasuredValue.kind, date: .instant(moment), body: body)
    }
}
