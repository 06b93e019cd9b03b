internal import FoundationEssentials
internal import HealthModel

/// Theo, Ada's son, and their dog.
extension SampleHousehold {
    static func fillTheo(_ record: inout SampleRecord) throws(ModelError) {
        let clock = record.clock
        try record.profile([
            "givenName": "Theo", "familyName": "Winter", "sex": "male",
            "birthdate": clock.last(11, 2, yearsBefore: 42).description,
        ])
        try record.add(History.kind, "2008-06-12", ["name": "Appendectomy", "contact": "Inselspital"])
        try record.add(Risk.kind, nil, ["name": "Family history", "information": "diabetes"])
        try record.add(
            Doctor.kind,
            nil,
            ["name": "Dr. Luis Moreau", "specialty": "Dentist", "phone": "+41 31 555 03 30"]
        )
        try record.add(
            EmergencyContact.kind,
            nil,
            ["name": "Ada Winter", "phone": "+41 31 555 02 10", "relationship": "mother"]
        )
        try record.add(Allergy.kind, nil, ["name": "Birch pollen", "information": "sneezing in spring"])
        try record.add(
            Vaccination.kind,
            clock.day(210).adding(years: -2),
            [
                "name": "Tick-borne encephalitis", "product": "FSME-Immun", "lot": "VNR1M07", "doseNumber": "3",
                "nextDue": clock.day(210).adding(years: 8).description, "place": "Pharmacy",
            ]
        )
        var cetirizine = try record.plan(
            Drug.kind,
            "Cetirizine",
            strength: "10 mg",
            since: clock.day(200),
            from: 200,
            .asNeeded,
            "1",
            [
                "form": "tablet", "unit": "tablet", "route": "oral", "indication": "hay fever",
                "maximum.doses": "1", "maximum.per": "1440",
            ]
        )
        for daysAgo in [188, 163, 9, 2] {
            try record.takeAsNeeded(&cetirizine, at: clock.moment(daysAgo, "19:\(10 + daysAgo % 40)"))
        }
        try record.add(
            Meal.kind,
            at: clock.moment(1, "12:40"),
            [
                "mealType": "lunch", "foods.0.name": "Rice with vegetables", "foods.0.quantity": "350 g",
                "foods.0.calories": "480", "foods.1.name": "Apple", "foods.1.quantity": "1", "foods.1.calories": "95",
                "comment": "in the canteen",
            ]
        )
        for month in stride(from: 0, to: 36, by: 3) {
            let tenths = 1_812 + [0, 14, -9, 21][month / 3 % 4]
            let moment = try clock.moment(clock.day(5).adding(months: month - 33), "06:50")
            let value = decimal(thousandths: tenths * 100, places: 1)
            try record.add(Weight.kind, at: moment, ["value": value, "unit": "lb"])
        }
    }

    static func fillDog(_ record: inout SampleRecord) throws(ModelError) {
        let clock = record.clock
        let birth = clock.day(20).adding(months: -41)
        try record.profile([
            "name": "Biscuit", "species": "dog", "breed": "Border Terrier", "color": "grizzle",
            "birthdate": birth.description, "sex": "male", "isNeutered": "true", "animalID": "756098100000042",
            "owner.name": "Theo Winter", "owner.phone": "+41 79 555 02 20", "vet.clinicName": "Tierklinik Aare",
            "vet.contactName": "Dr. Noor Haddad", "vet.phone": "+41 31 555 04 40",
        ])
        for (months, name, product, lot, years) in [
            (38, "Rabies", "Nobivac Rabies", "A714C01", 1), (26, "Rabies", "Nobivac Rabies", "A731A02", 3),
            (23, "Leptospirosis", "Nobivac L4", "L206B01", 1), (12, "Leptospirosis", "Nobivac L4", "L229A03", 1),
        ] {
            let day = clock.day(-9).adding(months: -months)
            try record.add(
                Vaccination.kind,
                day,
                [
                    "name": name, "product": product, "lot": lot, "nextDue": day.adding(years: years).description,
                    "givenBy": "Dr. Noor Haddad", "place": "Tierklinik Aare",
                ]
            )
        }
        try record.add(Allergy.kind, nil, ["name": "Chicken protein", "information": "itching"])
        // The next tablet is due in two days.
        let next = clock.day(-2)
        var milbemycin = try record.plan(
            Drug.kind,
            "Milbemycin",
            strength: "5 mg",
            since: clock.day(2).adding(months: -30),
            from: 95,
            .monthDays,
            "\(next.day)@18:00=1",
            [
                "form": "tablet", "unit": "tablet", "indication": "heartworm", "prescribedBy": "Dr. Noor Haddad",
                "information": "with food",
            ]
        )
        try record.take(&milbemycin, from: 95)
        for month in 0..<36 {
            let grams = min(8_400, 3_900 + month * 260) + [0, 60, -40][month % 3]
            let moment = try clock.moment(clock.day(4).adding(months: month - 35), "18:20")
            let value = decimal(thousandths: grams, places: 2)
            try record.add(Weight.kind, at: moment, ["value": value, "unit": "kg"])
        }
        let costs = [("Food", "38.90"), ("Vet", "112.00"), ("Food", "41.20"), ("Insurance", "29.50")]
        for month in 0..<36 {
            let (category, amount) = costs[month % costs.count]
            let day = clock.day(6).adding(months: month - 35)
            try record.add(
                Cost.kind,
                day,
                [
                    "year": String(day.year), "amount": amount, "currency": "CHF", "category": category,
                    "basis": "item",
                ]
            )
        }
    }
}
