internal import FoundationEssentials
internal import HealthModel

/// Ada, 75 years old, who takes medication.
extension SampleHousehold {
    /// Adds her profile and what was measured, found and paid; returns the entry of her latest weight.
    static func fillHealth(ofAda record: inout SampleRecord) throws(ModelError) -> UUID {
        let clock = record.clock
        try record.profile([
            "givenName": "Ada", "familyName": "Winter", "sex": "female",
            "birthdate": clock.last(3, 14, yearsBefore: 75).description, "healthInsurance": "Sample Mutual",
            "address": "Lindenweg 4, 3000 Bern",
        ])
        try record.add(Allergy.kind, nil, ["name": "Penicillin", "information": "rash, swelling"])
        try record.add(Allergy.kind, nil, ["name": "Latex", "information": "itching of the hands"])
        try fillIllnesses(ofAda: &record)
        try fillContacts(ofAda: &record)
        try fillLaboratory(ofAda: &record)
        try fillSymptoms(ofAda: &record)
        try fillBloodPressures(ofAda: &record)
        for years in 1...3 {
            let year = String(clock.today.year - years)
            let amount = ["2112.30", "1840.50", "1655.20"][years - 1]
            let values: KeyValuePairs = ["year": year, "amount": amount, "currency": "CHF", "basis": "total"]
            try record.add(Cost.kind, "\(year)-12-31", values)
        }
        for (daysAgo, category, amount) in [(75, "Laboratory", "86.40"), (20, "Pharmacy", "42.15")] {
            let day = clock.day(daysAgo)
            try record.add(
                Cost.kind,
                day,
                [
                    "year": String(day.year), "amount": amount, "currency": "CHF", "category": category,
                    "basis": "item",
                ]
            )
        }
        for month in 0..<35 {
            let grams = 71_400 - month * 90 + [0, 300, -200, 100][month % 4]
            let moment = try clock.moment(clock.day(2).adding(months: month - 35), "07:10")
            let value = decimal(thousandths: grams, places: 1)
            try record.add(Weight.kind, at: moment, ["value": value, "unit": "kg"])
        }
        // The digits of the latest one are the wrong way round; it is corrected.
        return try record.add(Weight.kind, at: clock.moment(2, "07:10"), ["value": "86.3", "unit": "kg"])
    }

    private static func fillIllnesses(ofAda record: inout SampleRecord) throws(ModelError) {
        let clock = record.clock
        for (years, name, information) in [
            (6, "Type 2 diabetes", "tablets, no insulin"), (3, "Hypertension", "mild"),
            (2, "Hypercholesterolaemia", "found in a check-up"),
        ] {
            let values: KeyValuePairs = ["name": name, "information": information]
            try record.add(Illness.kind, clock.day(40).adding(years: -years), values)
        }
        let rheumatism: KeyValuePairs = ["name": "Polymyalgia rheumatica", "information": "shoulders and hips"]
        try record.add(Illness.kind, clock.day(16), rheumatism)
        let bronchitis: KeyValuePairs = ["name": "Bronchitis", "ended": clock.day(270).description]
        try record.add(Illness.kind, clock.day(291), bronchitis)
        for years in 0..<3 {
            let values: KeyValuePairs = ["name": "Influenza", "information": "annual", "place": "Pharmacy"]
            try record.add(Vaccination.kind, clock.last(10, 14, yearsBefore: years), values)
        }
        try record.add(
            Vaccination.kind,
            clock.day(56),
            [
                "name": "Herpes zoster", "information": "first of two; the second is due two to six months after it",
                "product": "Shingrix", "doseNumber": "1", "nextDue": clock.day(-21).description,
                "place": "Practice of Dr. Okafor",
            ]
        )
        try record.add(
            Surgery.kind,
            clock.day(120).adding(years: -4),
            ["name": "Cataract surgery", "information": "left eye"]
        )
        try record.add(Risk.kind, nil, ["name": "Falls", "information": "fell once on the stairs"])
    }

    private static func fillContacts(ofAda record: inout SampleRecord) throws(ModelError) {
        for (name, specialty, phone) in [
            ("Dr. Ines Okafor", "General practice", "+41 31 555 01 10"),
            ("Dr. Mira Brunner", "Ophthalmology", "+41 31 555 01 80"),
        ] {
            try record.add(Doctor.kind, nil, ["name": name, "specialty": specialty, "phone": phone])
        }
        try record.add(
            EmergencyContact.kind,
            nil,
            ["name": "Theo Winter", "phone": "+41 79 555 02 20", "relationship": "son"]
        )
    }

    /// Adds laboratory values over three years.
    private static func fillLaboratory(ofAda record: inout SampleRecord) throws(ModelError) {
        let months = [36, 30, 24, 18, 12, 6, 1]
        let hemoglobin = ["7.6", "7.2", "7.0", "6.8", "6.9", "6.6", "6.4"]
        let cholesterol = ["4.3", "3.8", "3.1", "2.8", "2.6", "2.5", "2.3"]
        for (index, month) in months.enumerated() {
            let day = record.clock.day(9).adding(months: -month)
            try record.add(
                Blood.kind,
                day,
                [
                    "name": "HbA1c", "value": hemoglobin[index], "unit": "%", "low": "4.0", "high": "6.0",
                    "laboratory": "Labor Aare",
                ]
            )
            try record.add(
                Blood.kind,
                day,
                [
                    "name": "LDL cholesterol", "value": cholesterol[index], "unit": "mmol/L", "high": "2.6",
                    "fasting": "true", "laboratory": "Labor Aare",
                ]
            )
        }
        let day = record.clock.day(9).adding(months: -1)
        try record.add(
            Blood.kind,
            day,
            [
                "name": "Creatinine", "value": "88", "unit": "µmol/L", "low": "45", "high": "84", "flag": "H",
                "laboratory": "Labor Aare",
            ]
        )
    }

    /// Adds the pain of three weeks, which falls after the treatment began.
    private static func fillSymptoms(ofAda record: inout SampleRecord) throws(ModelError) {
        for (daysAgo, severity) in [(21, 7), (18, 7), (15, 6), (12, 4), (9, 4), (6, 3), (3, 2), (1, 2)] {
            let moment = try record.clock.moment(daysAgo, "08:15")
            try record.add(Symptom.kind, at: moment, ["name": "Shoulder pain", "severity": String(severity)])
        }
    }

    /// Adds the blood pressures of eight weeks, which fall, and the heart rates that the device showed with them.
    private static func fillBloodPressures(ofAda record: inout SampleRecord) throws(ModelError) {
        for (index, daysAgo) in stride(from: 57, through: 1, by: -3).enumerated() {
            let moment = try record.clock.moment(daysAgo, "07:0\(index % 7 + 1)")
            let systolic = 154 - index + [0, 5, -4, 2, -6, 3][index % 6]
            let diastolic = 91 - index / 2 + [1, -2, 3, 0, -3][index % 5]
            let values: KeyValuePairs = [
                "name": "Blood pressure", "parts.0.name": "Systolic", "parts.0.value": String(systolic),
                "parts.0.unit": "mmHg", "parts.1.name": "Diastolic", "parts.1.value": String(diastolic),
                "parts.1.unit": "mmHg",
            ]
            try record.add(MeasuredValue.kind, at: moment, values)
            let rate = String(74 + [0, 3, -2, 5, 1, -4, 2][index % 7])
            try record.add(MeasuredValue.kind, at: moment, ["name": "Heart rate", "value": rate, "unit": "/min"])
        }
    }

    /// Adds what she takes, with the doses of the last two weeks.
    ///
    /// Returns the medication whose dosage was copied wrongly, and the one that a caregiver gives in the evening.
    static func fillPlans(ofAda record: inout SampleRecord) throws(ModelError) -> (copied: UUID, evening: UUID) {
        let clock = record.clock
        let since = clock.day(40).adding(years: -3)
        var metformin = try record.plan(
            Drug.kind,
            "Metformin",
            strength: "500 mg",
            since: clock.day(40).adding(years: -6),
            from: 14,
            .daily,
            "07:30=1,18:30=1",
            [
                "form": "tablet", "unit": "tablet", "route": "oral", "indication": "diabetes",
                "prescribedBy": "Dr. Ines Okafor", "trackStock": "true", "packSize": "60", "refillLead": "7",
            ]
        )
        // The evening of four days ago is left for the caregiver.
        try record.take(&metformin, from: 14, except: [5: .skipped(.forgot), 17: .skipped(.forgot), 21: .unknown])
        try record.count("36", of: metformin, at: clock.moment(14, "07:00"))
        var lisinopril = try record.plan(
            Drug.kind,
            "Lisinopril",
            strength: "10 mg",
            since: since,
            from: 14,
            .daily,
            "07:30=1",
            [
                "form": "tablet", "unit": "tablet", "route": "oral", "indication": "blood pressure",
                "prescribedBy": "Dr. Ines Okafor", "trackStock": "true", "packSize": "98", "refillLead": "7",
                "critical": "true",
            ]
        )
        try record.take(&lisinopril, from: 14, except: [9: .skipped(.unwell, "dizzy after getting up")])
        try record.count("98", of: lisinopril, at: clock.moment(14, "07:00"))
        var atorvastatin = try record.plan(
            Drug.kind,
            "Atorvastatin",
            strength: "20 mg",
            since: clock.day(40).adding(years: -2),
            from: 14,
            .daily,
            "21:30=1",
            ["form": "tablet", "unit": "tablet", "route": "oral", "indication": "cholesterol"]
        )
        try record.take(&atorvastatin, from: 14, except: [3: .skipped(.forgot), 8: .unknown])
        var prednisone = try record.plan(
            Drug.kind,
            "Prednisone",
            strength: "5 mg",
            since: clock.day(8),
            [
                "form": "tablet", "unit": "tablet", "route": "oral", "indication": "polymyalgia rheumatica",
                "prescribedBy": "Dr. Ines Okafor",
            ]
        ) { clock, newID throws(ModelError) in
            try PlanRule.taper(
                strength: ExactDecimal(coefficient: 5, scale: 0),
                from: clock.day(8),
                at: WallTime(parsing: "08:00"),
                steps: "20x5,15x5,10x7,5x7",
                recordedAt: clock.now,
                newID: newID
            )
        }
        try record.take(&prednisone, from: 8)
        try fillOthers(ofAda: &record)
        return (lisinopril.id, metformin.id)
    }

    /// Adds what she takes when needed, an injection that is overdue, and supplements.
    private static func fillOthers(ofAda record: inout SampleRecord) throws(ModelError) {
        let clock = record.clock
        var ibuprofen = try record.plan(
            Drug.kind,
            "Ibuprofen",
            strength: "400 mg",
            since: clock.day(30),
            from: 30,
            .asNeeded,
            "1",
            [
                "form": "tablet", "unit": "tablet", "route": "oral", "indication": "pain", "minimumInterval": "360",
                "maximum.doses": "3", "maximum.per": "1440",
            ]
        )
        for (daysAgo, time, comment) in [
            (17, "09:20", "shoulders"), (17, "16:05", ""), (12, "22:40", "could not sleep"), (6, "10:15", ""),
            (1, "14:50", "headache"),
        ] {
            try record.takeAsNeeded(&ibuprofen, at: clock.moment(daysAgo, time), comment: comment)
        }
        // Each injection is due four weeks after the one before, and this one since yesterday.
        let first = try clock.moment(57, "10:00")
        var injection = try record.plan(
            Drug.kind,
            "Hydroxocobalamin",
            strength: "1 mg",
            since: clock.day(57),
            ["form": "injection", "unit": "ampoule", "route": "intramuscular", "indication": "lack of vitamin B12"]
        ) { _, newID in
            let intake = Intake(amount: ExactDecimal(coefficient: 1, scale: 0))
            let pattern = PlanRule.Pattern.afterLast(seconds: 28 * 86_400, start: first, intake)
            let from = WallMoment(day: clock.day(57))
            return [PlanRule(id: newID(), from: from, pattern: pattern, recordedAt: clock.now)]
        }
        let given = try record.takeNext(&injection, after: nil, minutesLate: 0)
        _ = try record.takeNext(&injection, after: given, minutesLate: 15)
        var potassium = try record.plan(
            Supplement.kind,
            "Potassium citrate",
            strength: "500 mg",
            since: clock.day(25),
            from: 14,
            .daily,
            "12:30=1",
            ["form": "capsule", "unit": "capsule", "purpose": "cramps in the calves", "information": "bought herself"]
        )
        try record.take(&potassium, from: 14, except: [2: .unknown, 10: .skipped(.outOfStock)])
        var vitamin = try record.plan(
            Supplement.kind,
            "Vitamin D3",
            strength: "1000 IU",
            since: clock.day(400),
            from: 14,
            .daily,
            "12:30=1",
            ["form": "capsule", "unit": "capsule", "purpose": "bones", "early": "720", "late": "720"]
        )
        try record.take(&vitamin, from: 14, except: [6: .skipped(.forgot)])
    }
}
