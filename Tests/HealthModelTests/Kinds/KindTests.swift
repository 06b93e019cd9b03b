import Testing

@testable import HealthModel

@Suite("Kinds of entries")
struct KindTests {
    /// Codes and numbers are stored: elements may be added to this list, but never changed.
    @Test("The codes, names and field numbers of the kinds are unchanged")
    func storedCodes() {
        let stored = Kind.all.map { kind in
            "\(kind.code) \(kind.name) \(kind.section.name):" + kind.fields.map { " \($0.number) \($0.name)" }.joined()
        }
        #expect(
            stored == [
                "11 blood myhealth: 1 name 2 value 3 unit 4 low 5 high 6 normal 7 flag 8 panel 9 specimen"
                    + " 10 laboratory 11 fasting 100 codes",
                "12 drug myhealth: 1 name 2 dosage 3 information 4 rawText 10 substances 11 form 12 unit"
                    + " 13 route 14 indication 15 prescribedBy 16 prescriber 17 frequency 20 rules 21 pauses"
                    + " 22 stopped 23 minimumInterval 24 maximum 25 early 26 late 27 trackStock 28 refillLead"
                    + " 29 packSize 30 critical 31 lastChange 101 ended 100 codes",
                "22 supplement myhealth: 1 name 2 dosage 40 purpose 41 brand 3 information 4 rawText"
                    + " 10 substances 11 form 12 unit 13 route 14 indication 15 prescribedBy 16 prescriber"
                    + " 17 frequency 20 rules 21 pauses 22 stopped 23 minimumInterval 24 maximum 25 early 26 late"
                    + " 27 trackStock 28 refillLead 29 packSize 30 critical 31 lastChange 101 ended 100 codes",
                "23 dose myhealth: 1 of 2 slot 3 planned 4 plannedAmount 5 status 6 amount 7 reason"
                    + " 8 reasonText 9 site 10 zone 11 stated",
                "24 supply myhealth: 1 of 2 what 3 amount 4 unit 5 lot 6 expires 7 pharmacy",
                "25 meal myhealth: 1 mealType 2 foods 3 allergies 4 scheduledTime 5 actualTime",
                "26 interaction conflicts: 1 queryText 2 medications 3 supplements 4 found 5 severity"
                    + " 6 details 7 recommendations 8 educationalInfo 9 source 10 resolved 11 resolution"
                    + " 12 userNotes 13 rule 14 ruleSet 15 entries",
                "13 vaccination myhealth: 1 name 7 diseases 10 nextDue 9 validUntil 4 product 6 lot 5 manufacturer"
                    + " 8 doseNumber 11 givenBy 3 place 2 information 100 codes",
                "14 allergy myhealth: 1 name 2 information 101 ended 100 codes",
                "15 illness myhealth: 1 name 2 information 3 mergedText 101 ended 100 codes",
                "33 symptom myhealth: 1 name 2 severity 3 minutes 4 triggers 100 codes",
                "16 risk myhealth: 1 name 2 information 3 mergedText 101 ended 100 codes",
                "32 surgery myhealth: 1 name 2 information 3 place 100 codes",
                "17 history myhealth: 1 name 2 information 3 contact 4 mergedText 100 codes",
                "18 document myhealth: 1 name 2 mediaType 3 content 4 missing",
                "19 doctor doctorlist: 1 name 2 specialty 3 type 4 contactName 5 phone 6 email 7 address"
                    + " 8 contactIdentifier 9 isImportedFromContacts",
                "10 weight myhealth: 1 value 2 unit",
                "30 measurement myhealth: 1 name 2 value 3 unit 4 parts 5 minimum 6 maximum 7 count 8 until 9 device"
                    + " 100 codes",
                "20 cost myhealth: 1 year 2 amount 3 currency 4 category 5 basis",
                "21 emergencyContact myhealth: 1 name 2 phone 3 email 4 relationship",
                "27 zone myhealth: 1 zone",
                "31 foreign myhealth: 1 resourceType 2 title 3 source 4 reference",
            ]
        )
        #expect(Doctor.kind.field(named: "address.text")?.number == 1)
        #expect(Doctor.kind.field(named: "address.country")?.number == 6)
        #expect(Document.kind.field(named: "content.digest")?.number == 1)
        #expect(Document.kind.field(named: "content.size")?.number == 2)
    }

    /// The numbers in nested groups are stored, too.
    @Test("The field numbers of the groups of plans, meals and findings are unchanged")
    func storedCodesOfGroups() {
        let groups = [
            PlanFields.Substance.all, PlanFields.Rule.all, PlanFields.Time.all, PlanFields.Intake.all,
            PlanFields.Pause.all, PlanFields.Stop.all, PlanFields.Maximum.all, PlanFields.Change.all, Meal.Food.all,
            Interaction.Detail.all,
        ]
        #expect(
            groups.map { fields in fields.map { "\($0.number) \($0.name)" }.joined(separator: " ") } == [
                "1 name 2 code 3 system 4 strength 5 strengthUnit",
                "1 id 2 from 3 until 4 zone 5 pattern 6 everyDays 7 weekdays 8 monthDays 9 daysOn 10 daysOff 11 anchor "
                    + "12 times 13 every 14 start 15 at 16 intake",
                "10 id 11 at 1 amount 2 amountText 3 label 4 withMeal 5 instructions",
                "1 amount 2 amountText 3 label 4 withMeal 5 instructions", "1 from 2 until 3 why", "1 at 2 why",
                "1 doses 2 amount 3 per", "1 effective 2 what", "1 id 2 name 3 quantity 4 calories 5 notes",
                "1 id 2 medication1 3 medication2 4 interactionType 5 description 6 severity",
            ]
        )
    }

    @Test("Each kind and each field has a number and a name of its own")
    func uniqueNumbersAndNames() {
        #expect(Set(Kind.all.map(\.code)).count == Kind.all.count)
        #expect(Set(Kind.all.map(\.name)).count == Kind.all.count)
        func check(_ fields: [Field]) {
            #expect(Set(fields.map(\.number)).count == fields.count)
            #expect(Set(fields.map(\.name)).count == fields.count)
            for field in fields {
                #expect(!field.name.isEmpty)
                #expect(!field.name.contains("."))
                #expect(!field.label.isEmpty)
                #expect(field.number > 0)
                if case .group(let inner) = field.type { check(inner) }
                if case .list(.group(let inner), _) = field.type { check(inner) }
            }
        }
        for kind in Kind.all {
            check(kind.fields)
            // A field with this name could not be set, because every entry already has a common field of that name.
            #expect(!kind.fields.contains { EntryContent.commonNames.contains($0.name) })
        }
        check(RecordProfile.fields(for: .human))
        check(RecordProfile.fields(for: .animal))
    }

    @Test("The example of each kind is a valid entry with the fields by which an entry is identified")
    func examples() throws {
        for kind in Kind.all {
            var content = EntryContent(kind: kind)
            for (path, text) in kind.example { try content.set(path, text: text) }
            try content.validate(now: try Instant(parsing: "2026-03-02T12:00:00Z"))
            #expect(!kind.summary.isEmpty && kind.summary.allSatisfy { content.body[$0] != nil }, "\(kind.name)")
            #expect(kind.isTimeless == (content.date == nil) || kind == Cost.kind, "\(kind.name)")
        }
        #expect(Emergency.kinds == [Allergy.kind, Drug.kind, Supplement.kind, EmergencyContact.kind])
    }

    @Test("Each kind is found by its name and by its code")
    func lookup() {
        for kind in Kind.all {
            #expect(Kind.named(kind.name) == kind)
            #expect(Kind.coded(kind.code) == kind)
        }
        #expect(Kind.named("mood") == nil)
        #expect(Kind.coded(0) == nil)
    }

    @Test(
        "Weights are converted between kilograms, grams and pounds with decimal arithmetic",
        arguments: [
            ("180", "lb", "kg", "81.647"), ("180", "lb", "lb", "180"), ("72.5", "kg", "g", "72500"),
            ("72.50", "kg", "kg", "72.50"), ("0.0425", "kg", "g", "42.5"), ("4250", "g", "kg", "4.250"),
            ("72.5", "kg", "lb", "159.835"), ("1", "lb", "g", "453.6"), ("453.59237", "g", "lb", "1"),
            ("-180", "lb", "kg", "-81.647"),
        ]
    )
    func convertsWeights(value: String, unit: String, target: String, expected: String) throws {
        let decimal = try ExactDecimal(parsing: value)
        #expect(Weight.converted(decimal, from: unit, to: target)?.description == expected)
    }

    @Test("A quotient is rounded half to even, and a division by zero has no result")
    func roundsHalfToEven() {
        #expect(ExactDecimal.rounded(5, over: 2, scale: 0)?.coefficient == 2)
        #expect(ExactDecimal.rounded(7, over: 2, scale: 0)?.coefficient == 4)
        #expect(ExactDecimal.rounded(-5, over: 2, scale: 0)?.coefficient == -2)
        #expect(ExactDecimal.rounded(-7, over: 2, scale: 0)?.coefficient == -4)
        #expect(ExactDecimal.rounded(51, over: 20, scale: 0)?.coefficient == 3)
        #expect(ExactDecimal.rounded(1, over: 0, scale: 0) == nil)
    }

    @Test("A weight in an unknown unit, or with a result out of range, is not converted")
    func refusesConversions() throws {
        let one = try ExactDecimal(parsing: "1")
        #expect(Weight.converted(one, from: "stone", to: "kg") == nil)
        #expect(Weight.converted(one, from: "stone", to: "stone") == nil)
        #expect(Weight.converted(ExactDecimal(coefficient: .max, scale: 0), from: "kg", to: "g") == nil)
        #expect(Weight.converted(ExactDecimal(coefficient: .max, scale: 18), from: "kg", to: "lb") != nil)
        #expect(Weight.converted(ExactDecimal(coefficient: 1, scale: 255), from: "kg", to: "lb") == nil)
    }

    @Test(
        "A weight is parsed with and without a unit",
        arguments: [
            ("72.5kg", "72.5", "kg"), ("72.5 kg", "72.5", "kg"), ("180lbs", "180", "lb"), ("180 lb", "180", "lb"),
            ("350g", "350", "g"), ("72.50", "72.50", nil),
            ("11st 4lb", "158", "lb"), ("11 st 4.5 lbs", "158.5", "lb"), ("11st", "154", "lb"), ("0st13", "13", "lb"),
        ] as [(String, String, String?)]
    )
    func parsesWeight(text: String, value: String, unit: String?) throws {
        let weight = try Weight.parse(text)
        #expect(weight.value.description == value)
        #expect(weight.unit == unit)
    }

    @Test(
        "Text that is not a weight is refused, and the error names the value or the unit",
        arguments: [
            ("72.5stone", "unit"), ("kg", "value"), ("", "value"), ("72,5kg", "value"), ("7 2kg", "value"),
            ("11.5st", "value"), ("11st 14lb", "value"), ("-1st", "value"), ("11st -1lb", "value"),
        ]
    )
    func refusesInvalidWeights(text: String, field: String) {
        #expect(refusal { try Weight.parse(text) }?.field == field)
    }
}
