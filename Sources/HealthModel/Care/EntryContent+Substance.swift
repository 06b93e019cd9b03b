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

    /// Infers the substance again if the name was corrected from which it followed.
    ///
    /// The substance of the old name says nothing about the new one, and would be checked in its place. A strength
    /// remains, because it was stated; it is that of the name itself if no list knows the new name.
    package mutating func inferSubstanceAgain(
        after previous: EntryContent,
        from catalogue: () throws -> NameCatalogue
    ) rethrows {
        let field = PlanFields.substances
        guard let former = previous.body.text(Drug.name), let name = body.text(Drug.name), name != former,
            let stated = body.groups(field).first, body[field] == previous.body[field]
        else { return }
        let isOfFormerName =
            body.groups(field).count == 1
            && stated.text(PlanFields.Substance.name).map(FoldedName.init) == FoldedName(former)
        guard inferred.contains(field.name) || isOfFormerName else { return }
        let strength = stated.decimal(PlanFields.Substance.strength)
        let unit = stated.text(PlanFields.Substance.strengthUnit)
        body[field] = nil
        inferred.removeAll { $0 == field.name }
        fillSubstance(from: try catalogue(), strength: strength, unit: unit)
        if body[field] == nil, let strength, let unit {
            var substance = FieldValues()
            substance[PlanFields.Substance.name] = .text(name)
            substance[PlanFields.Substance.strength] = .decimal(strength)
            substance[PlanFields.Substance.strengthUnit] = .text(unit)
            body[field] = .list([.group(substance)])
        }
    }
}
