import Foundation
import HealthModel
import Testing

@testable import JournalPages

@Suite("Entry forms")
struct EntryFormTests {
    private let reader: Reader

    init() throws {
        reader = Reader(
            ReaderLanguage(Languages.builtIn.english, locale: Locale(identifier: "de-CH")),
            zone: try #require(TimeZone(identifier: "Europe/Zurich"))
        )
    }

    @Test("Submitting the form of any kind without changes changes nothing", arguments: Kind.all)
    func unchanged(_ kind: Kind) throws {
        var content = EntryContent(kind: kind)
        for path in kind.fields.leaves {
            let text: String? =
                switch path.fields.last?.type {
                case .text(let maximum):
                    maximum > Limits.line ? "one\ntwo  " : path.name == "currency" ? "CHF" : nil ?? "x"
                case .decimal: "12.50"
                case .integer: "2024"
                case .flag: "true"
                case .day: "2024-05-03"
                case .choice(let words): words.first
                default: nil
                }
            if let text { try content.set(path.name, text: text) }
        }
        content.comment = "Said\nso"
        content.date = .instant(Instant(microseconds: 1_714_768_201_234_567))
        content.inferred = ["currency"]
        let form = EntryForm(kind, reader)
        var typed: [String: String] = [:]
        for field in form.fields(content) { typed[field.name] = field.value.replacing("\n", with: "\r\n") }
        var taken = content
        #expect(form.take(typed, into: &taken) == [:])
        #expect(taken == content)
    }

    @Test("Codes are shown on an entry's line, and its form changes, adds and removes them")
    func codes() throws {
        var content = EntryContent(kind: Illness.kind)
        try content.set([
            ("name", "Bronchitis"), ("ended", "2010-05"), ("codes.0.system", "http://hl7.org/fhir/sid/icd-10"),
            ("codes.0.code", "J20.9"), ("codes.0.display", "Acute bronchitis"), ("codes.1.code", "10509002"),
            ("codes.2.system", "urn:lab"), ("codes.2.code", "B1"), ("codes.2.display", "Bronchitis"),
        ])
        let line = content.shown(reader)
        #expect(line.what == "Bronchitis")
        #expect(line.details.map(\.text) == ["Mai 2010", "ICD-10 J20.9 (Acute bronchitis), 10509002, urn:lab B1"])
        let form = EntryForm(Illness.kind, reader)
        var typed: [String: String] = [:]
        for field in form.fields(content) { typed[field.name] = field.value }
        #expect(typed["codes.1.code"] == "10509002")
        #expect(typed["codes.3.code"] == "")
        for name in ["system", "code", "display"] {
            (typed["codes.0.\(name)"], typed["codes.2.\(name)"]) = ("", "")
        }
        typed["codes.3.code"] = "A1"
        #expect(form.take(typed, into: &content) == [:])
        #expect(content.body[SharedFields.codes]?.text == "10509002, A1")
        // An entry without codes has no inputs for them.
        #expect(!form.fields(EntryContent(kind: Illness.kind)).contains { $0.name.hasPrefix("codes") })
    }

    @Test("What is usual is asked first; the rest is shown on request, and when it has a value or a problem")
    func layout() throws {
        func isMore(_ kind: Kind, _ name: String, _ content: EntryContent? = nil) -> Bool? {
            EntryForm(kind, reader).fields(content ?? EntryContent(kind: kind)).first { $0.name == name }?.isMore
        }
        // Entries of these kinds are usually of today, and those of the others of the past.
        for kind in [Weight.kind, MeasuredValue.kind, Blood.kind, Meal.kind, Dose.kind] {
            #expect(isMore(kind, "datePrecision") == true, "\(kind.name)")
        }
        for kind in [Illness.kind, Surgery.kind, History.kind, Vaccination.kind] {
            #expect(isMore(kind, "datePrecision") == false, "\(kind.name)")
        }
        #expect(isMore(MeasuredValue.kind, "device") == true && isMore(MeasuredValue.kind, "value") == false)
        #expect(isMore(MeasuredValue.kind, "parts.0.name") == nil)
        // What only an import fills in is asked if there is a value to correct.
        #expect(isMore(Illness.kind, "mergedText") == nil)
        var imported = EntryContent(kind: Illness.kind)
        try imported.set("mergedText", text: "since spring")
        #expect(isMore(Illness.kind, "mergedText", imported) != nil)

        func page(_ fields: [FormField]) throws -> String {
            let page = FormPage(
                heading: "",
                action: "",
                cancel: "",
                submit: "",
                fields: fields,
                key: ""
            )
            return try PageRenderer().render(page, in: PageFrame(title: ""), reader.words)
        }
        let form = EntryForm(Weight.kind, reader)
        let empty = EntryContent(kind: Weight.kind)
        #expect(try page(form.fields(empty)).contains(#"<details class="more-fields"><summary>"#))
        let year = ["value": "70", "date": "2010-05-17", "datePrecision": "year"]
        #expect(try page(form.fields(empty, typed: year)).contains(#"<details class="more-fields" open><summary>"#))
        let meal = EntryForm(Meal.kind, reader)
        let foods = try page(meal.fields(EntryContent(kind: Meal.kind), typed: ["foods.0.calories": "x"]))
        #expect(foods.contains(#"<fieldset class="list" data-list="foods" data-most="40"><legend>Foods</legend>"#))
        #expect(foods.matches(of: /<details open><summary>/).count == 1)
    }

    @Test("The layout of each kind names only fields that the kind has", arguments: Kind.all)
    func namesOfLayout(_ kind: Kind) {
        let common = ["date", "time", "datePrecision"]
        for name in EntryFormLayout.of(kind).names where !common.contains(name) {
            #expect(kind.fields.path(named: name.replacing("*", with: "0")) != nil, "\(kind.name): \(name)")
        }
    }

    @Test("A moment is asked for by the reader's clock, and an unchanged one keeps its seconds")
    func moments() throws {
        let form = EntryForm(MeasuredValue.kind, reader)
        var content = EntryContent(kind: MeasuredValue.kind)
        try content.set([("name", "Pulse"), ("value", "60"), ("until", "2024-07-01T06:30:12Z")])
        let shown = form.fields(content)
        #expect(shown.first { $0.name == "until" }?.value == "2024-07-01T08:30")
        var typed = Dictionary(shown.map { ($0.name, $0.value) }) { $1 }
        let before = content
        #expect(form.take(typed, into: &content) == [:] && content == before)
        typed["until"] = "2024-01-01T08:30"
        #expect(form.take(typed, into: &content) == [:])
        #expect(content.body[MeasuredValue.until]?.text == "2024-01-01T07:30:00Z")
        // Of a time that the clocks showed twice, nobody knows which one is meant.
        for (text, problem) in [("2024-10-27T02:30", "twice"), ("2024-03-31T02:30", "set forward")] {
            typed["until"] = text
            #expect(form.take(typed, into: &content)["until"]?.contains(problem) == true, "\(text)")
        }
    }

    @Test("An item of a list of which only its id remains is removed")
    func emptiedItem() throws {
        var content = EntryContent(kind: Meal.kind)
        try content.set([
            ("mealType", "lunch"), ("foods.0.id", "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a02"), ("foods.0.name", "Rice"),
            ("foods.1.id", "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a03"), ("foods.1.name", "Peas"),
        ])
        let form = EntryForm(Meal.kind, reader)
        var typed = Dictionary(form.fields(content).map { ($0.name, $0.value) }) { $1 }
        #expect(typed["foods.0.id"] == nil)
        typed["foods.0.name"] = ""
        #expect(form.take(typed, into: &content) == [:])
        let foods = content.body.groups(Meal.foods)
        #expect(foods.map { $0.text(Meal.Food.name) } == ["Peas"])
        #expect(foods[0][Meal.Food.id]?.text == "018f3f6a-4b1c-4d2e-8f00-2f6c1f6e9a03")
    }

    @Test("The energy of a meal is shown if that of each food is known")
    func energy() throws {
        var content = EntryContent(kind: Meal.kind)
        try content.set([
            ("mealType", "lunch"), ("foods.0.name", "Reis"), ("foods.0.calories", "1260"), ("foods.1.name", "Erbsen"),
        ])
        #expect(Meal.energy(of: content) == nil)
        #expect(!content.shown(reader).details.contains { $0.text.hasSuffix("kcal") })
        try content.set("foods.1.calories", text: "0")
        #expect(Meal.energy(of: content) == 1260)
        #expect(content.shown(reader).details.contains { $0.text == "1260\u{A0}kcal" })
        try content.set([
            ("foods.0.name", ""), ("foods.0.calories", ""), ("foods.1.name", ""), ("foods.1.calories", ""),
        ])
        #expect(Meal.energy(of: content) == nil)
    }

    @Test("Characters that a browser cannot send back are kept")
    func marks() throws {
        var content = EntryContent(kind: Doctor.kind)
        try content.set("name", text: "\u{200F}د. برغ\u{200E}")
        try content.set("phone", text: "\u{202A}+41 31 555\u{202C}")
        try content.set("address.street", text: "Rue de l'Église 12\nPostfach")
        let form = EntryForm(Doctor.kind, reader)
        var typed: [String: String] = [:]
        for field in form.fields(content) {
            // A browser sends the replacement character for direction marks, and drops line breaks in one-line fields.
            typed[field.name] = field.value.replacing("\n", with: "")
                .replacing(/[\u{200E}\u{200F}\u{202A}\u{202C}]/, with: "\u{FFFD}")
        }
        typed["specialty"] = "Cardiology"
        var taken = content
        #expect(form.take(typed, into: &taken) == [:])
        try content.set("specialty", text: "Cardiology")
        #expect(taken == content)
    }

    @Test("Replacement characters that were shown for other characters are not saved")
    func replacements() throws {
        var content = EntryContent(kind: Doctor.kind)
        try content.set("name", text: "Dr. Berg")
        try content.set("phone", text: "\u{202A}+41 31 555\u{202C}")
        let form = EntryForm(Doctor.kind, reader)
        #expect(form.take(["name": "Dr. Berg", "phone": "\u{FFFD}+41 31 556\u{FFFD}"], into: &content) == [:])
        #expect(content.body.text(try #require(Doctor.kind.fields.path(named: "phone")).fields[0]) == "+41 31 556")
    }

    @Test("Dates and times are in the reader's time zone, in summer and winter")
    func times() throws {
        let form = EntryForm(Weight.kind, reader)
        var content = EntryContent(kind: Weight.kind)
        #expect(form.take(["value": "7", "date": "2024-07-01", "time": "08:30"], into: &content) == [:])
        #expect(content.date == .instant(try Instant(parsing: "2024-07-01T06:30:00Z")))
        #expect(form.take(["value": "7", "date": "2024-01-01", "time": "08:30"], into: &content) == [:])
        #expect(content.date == .instant(try Instant(parsing: "2024-01-01T07:30:00Z")))
        let shown = form.fields(content)
        #expect(shown.first { $0.name == "time" }?.value == "08:30")
        #expect(form.take(["value": "7", "date": "2024-01-01", "time": ""], into: &content) == [:])
        #expect(content.date == .day(try Day(parsing: "2024-01-01")))
        // A typed time remains a time even at midnight UTC, which imports read as a whole day.
        #expect(form.take(["value": "7", "date": "2024-01-01", "time": "01:00"], into: &content) == [:])
        #expect(form.fields(content).first { $0.name == "time" }?.value == "01:00")
        let kept = content
        #expect(form.take(["value": "7", "date": "2024-01-01", "time": "01:00"], into: &content) == [:])
        #expect(content == kept)
    }

    @Test("A date that is known to the month or the year is shown, kept and entered as such")
    func partialDates() throws {
        let form = EntryForm(Illness.kind, reader)
        for (typed, text) in [("month", "2010-05"), ("year", "2010")] {
            var content = EntryContent(kind: Illness.kind)
            try content.set("name", text: "Asthma")
            let entered = ["name": "Asthma", "date": "2010-05-17", "time": "", "datePrecision": typed]
            #expect(form.take(entered, into: &content) == [:])
            #expect(content.date?.description == text)
            let fields = form.fields(content)
            let precision = fields.first { $0.name == "datePrecision" }
            #expect(precision?.options?.first(where: \.isChosen)?.value == typed)

            // Submitted as it was shown, the form changes nothing.
            let shown = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
                .merging(["datePrecision": typed]) { $1 }
            let before = content
            #expect(form.take(shown, into: &content) == [:])
            #expect(content == before)

            var timed = entered
            timed["time"] = "08:00"
            #expect(form.take(timed, into: &content).keys.sorted() == ["date"])
            timed["datePrecision"] = "day"
            #expect(form.take(timed, into: &content) == [:])
            #expect(content.date?.description.count ?? 0 > 10)
        }
    }

    @Test("A date of birth that is known to the month or the year is shown, kept and entered as such")
    func dateOfBirth() throws {
        let form = ProfileForm(reader)
        for (precision, text) in [("year", "1951"), ("month", "1951-03"), ("day", "1951-03-14")] {
            var profile = RecordProfile(subject: .human)
            let typed = ["familyName": "Winter", "birthdate": "1951-03-14", "birthdatePrecision": precision]
            #expect(form.take(typed, into: &profile) == [:])
            #expect(profile.values[RecordProfile.birthdate]?.text == text)
            let fields = form.fields(profile)
            let chosen = fields.first { $0.name == "birthdatePrecision" }?.options?.first(where: \.isChosen)
            #expect(chosen?.value == precision)

            // Submitted as it was shown, the form changes nothing.
            let before = profile
            let shown = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
            #expect(form.take(shown, into: &profile) == [:])
            #expect(profile == before)
            #expect(
                form.take(shown.filter { $0.key != "birthdatePrecision" }, into: &profile) == [:] && profile == before
            )
            #expect(form.take(shown.merging(["birthdate": ""]) { $1 }, into: &profile) == [:])
            #expect(profile.values[RecordProfile.birthdate] == nil)
        }
        var profile = RecordProfile(subject: .human)
        let early = ["birthdate": "1851-03-14", "birthdatePrecision": "year"]
        #expect(
            form.take(early, into: &profile) == [:] && (try? profile.validate(now: Instant(microseconds: 0))) == nil
        )
    }

    @Test("A time that does not exist because clocks were set forward is refused with the reason")
    func skippedTime() throws {
        let form = EntryForm(Weight.kind, reader)
        var content = EntryContent(kind: Weight.kind)
        let typed = ["value": "7", "date": "2024-03-31", "time": "02:30"]
        let problem = try #require(form.take(typed, into: &content)["date"])
        #expect(problem.contains("no 02:30"))
        #expect(problem.contains("set forward"))
        #expect(content.date == nil)
        #expect(form.take(["value": "7", "date": "2024-03-31", "time": "03:00"], into: &content) == [:])
        #expect(content.date == .instant(try Instant(parsing: "2024-03-31T01:00:00Z")))
    }

    @Test("For a time that occurred twice the form asks which one is meant")
    func repeatedTime() throws {
        let form = EntryForm(Weight.kind, reader)
        var content = EntryContent(kind: Weight.kind)
        var typed = ["value": "7", "date": "2024-10-27", "time": "02:30"]
        let problems = form.take(typed, into: &content)
        #expect(problems.keys.sorted() == ["whichTime"])
        #expect(problems["whichTime"]?.contains("twice") == true)
        let fields = form.fields(content, typed: typed, problems: problems)
        let field = try #require(fields.first { $0.name == "whichTime" })
        #expect(field.options?.map(\.value) == ["", "first", "second"])
        #expect(field.problem != nil)
        #expect(field.options?[1].label.contains("UTC+02:00") == true)
        for (which, moment) in [("first", "2024-10-27T00:30:00Z"), ("second", "2024-10-27T01:30:00Z")] {
            typed["whichTime"] = which
            #expect(form.take(typed, into: &content) == [:])
            #expect(content.date == .instant(try Instant(parsing: moment)))
            // Submitting the form unchanged keeps the choice.
            let shown = form.fields(content)
            let chosen = shown.first { $0.name == "whichTime" }?.options?.first(where: \.isChosen)?.value
            #expect(chosen == which && shown.first { $0.name == "time" }?.value == "02:30")
        }
        // The form does not ask about any other time.
        typed = ["value": "7", "date": "2024-10-27", "time": "04:30"]
        #expect(form.take(typed, into: &content) == [:])
        #expect(!form.fields(content).contains { $0.name == "whichTime" })
    }

    @Test("Each error is shown at its field")
    func problems() throws {
        let form = EntryForm(Weight.kind, reader)
        var content = EntryContent(kind: Weight.kind)
        let problems = form.take(["value": "a lot", "unit": "stone", "date": "yesterday"], into: &content)
        #expect(Set(problems.keys) == ["value", "unit", "date"])
        #expect(form.take(["value": "7", "time": "08:30"], into: &content).keys.sorted() == ["date"])
    }

    @Test("A number that could mean thousands is refused, with both meanings", arguments: ["1.234", "-12.500"])
    func thousands(_ text: String) throws {
        var content = EntryContent(kind: Weight.kind)
        let german = Reader(ReaderLanguage(reader.words, locale: Locale(identifier: "de-DE")), zone: reader.zone)
        let form = EntryForm(Weight.kind, german)
        let problems = form.take(["value": text, "unit": "g"], into: &content)
        #expect(problems["value"]?.contains(text.replacing(".", with: "")) ?? false)
        #expect(problems["value"]?.contains(text.replacing(".", with: ",")) ?? false)
        for (typed, meant) in [("75.5", "75.5"), ("75,5", "75.5"), ("1234", "1234"), ("1,234", "1.234")] {
            #expect(form.take(["value": typed, "unit": "g"], into: &content) == [:], "\(typed)")
            #expect(content.body.decimal(Weight.value) == (try ExactDecimal(parsing: meant)))
        }
        let english = EntryForm(
            Weight.kind,
            Reader(ReaderLanguage(reader.words, locale: Locale(identifier: "en-GB")), zone: reader.zone)
        )
        #expect(english.take(["value": "1.234", "unit": "g"], into: &content) == [:])
    }
}
