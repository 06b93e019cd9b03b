extension EntryContent {
    /// Adds the substance for which the name stands, if a list knows it and no substance was entered.
    ///
    /// The substance is marked as inferred, because the source did not state it.
    package mutating func fillSubstance(
        from catalogue: NameCatalogue,
        strength: ExactDecimal? = nil,
        unit: String? = nil
    ) {
        guard Plan.kinds.contains(kind), body[PlanFields.substances] == nil, let name = body.text(Drug.name),
            let known = catalogue.substance(of: FoldedName(name))
        else { return }
        var substance = FieldValues()
        substance[PlanFields.Substance.name] = .text(known.name)
        substance[PlanFields.Substance.code] = known.code.map { .text($0) }
        if let unit, let strength {
            substance[PlanFields.Substance.strength] = .decimal(strength)
            substance[PlanFields.Substance.strengthUnit] = .text(unit)
        }
        body[PlanFields.substances] = .list([.group(substance)])
        if !inferred.contains(PlanFields.substances.name) { inferred.append(PlanFields.substances.name) }
    }
}
