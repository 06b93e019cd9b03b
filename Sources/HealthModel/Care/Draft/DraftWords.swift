/// The words of a language by which sentences are understood, folded.
package struct DraftWords: Sendable {
    var took: Set<String>
    var skipped: Set<String>
    /// Words of a plan rather than of a dose, such as `start`.
    var begin: Set<String>
    var ate: Set<String>
    var weighed: Set<String>
    var meals: [String: String]
    /// Words without a meaning here, which are not reported as not understood.
    var empty: Set<String>
    /// Words that end a name.
    var ends: Set<String>
    var numbers: [String: Int]
    /// Units of strength, and the way in which the journal writes them.
    var strengthUnits: [String: String]
    /// Units that are counted, in the singular.
    var countUnits: [String: String]
    /// Units by which the amount of a dose is counted.
    var doseUnits: Set<String>
    /// Units of mass and volume that are not among those of strength or weight.
    var measures: Set<String>
    /// Words that make the numbers of a sentence doubtful.
    var doubtful: Set<String>
    /// Words that repeat or change an amount, unless they belong to a schedule.
    var repeats: Set<String>
    /// Words that may say that something did not happen.
    var negations: Set<String>
    /// What may be before `nt`, if that is a negation.
    var auxiliaries: Set<String>
    /// Words about times and periods; none of them may be left over if a schedule is read.
    var periods: Set<String>
    var weightUnits: [String: String]
    var foodUnits: Set<String>
    var weekdays: [String: Weekday]
    var daytimes: [String: Daytime]
    var reasons: [String: LoggedDose.Reason]

    /// A part of the day: its usual time, and the hours that belong to it.
    struct Daytime: Hashable, Sendable {
        /// In minutes since midnight.
        var usual: Int
        var hours: Range<Int>
        /// The meal with which it is the same time.
        var meal: String?
    }

    package static let english = DraftWords(
        took: [
            "took", "taken", "swallowed", "injected", "inhaled", "had", "used", "applied", "chewed", "popped",
        ],
        skipped: ["skipped", "missed", "forgot", "skip", "forgotten", "omitted"],
        begin: ["start", "started", "starting", "taking", "take", "takes", "prescribed", "new", "add", "begin"],
        ate: ["had", "ate", "eat", "eaten", "eating", "drank", "drink", "drunk", "having"],
        weighed: ["weight", "weigh", "weighed", "weighs", "weighing", "scale", "scales"],
        meals: [
            "breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner", "supper": "dinner", "snack": "snack",
            "brunch": "lunch",
        ],
        empty: [
            "i", "my", "the", "of", "a", "an", "and", "is", "was", "am", "im", "ive", "have", "has", "been", "to",
            "some", "please", "it", "me", "just", "this", "that", "for", "on", "in", "at", "each", "per", "with",
            "log", "then", "also", "today", "s", "its", "by", "now", "are", "were",
        ],
        ends: [
            "at", "every", "each", "in", "on", "for", "with", "and", "because", "this", "yesterday", "today", "twice",
            "once", "daily", "weekly", "nightly", "as", "when", "if", "around", "about", "before", "after", "now",
            "just", "tonight", "last", "three", "four", "ago", "to", "from", "until", "since", "but", "noon",
            "midnight", "mornings", "evenings",
        ],
        numbers: [
            "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
            "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
            "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
        ],
        strengthUnits: [
            "mg": "mg", "milligram": "mg", "milligrams": "mg", "milligramme": "mg", "milligrammes": "mg",
            "mcg": "µg", "µg": "µg", "μg": "µg", "ug": "µg", "microgram": "µg", "micrograms": "µg", "g": "g",
            "gram": "g", "grams": "g", "iu": "IU", "units": "IU", "ml": "mL", "milliliter": "mL", "milliliters": "mL",
            "millilitre": "mL", "millilitres": "mL", "mmol": "mmol",
        ],
        countUnits: [
            "tablet": "tablet", "tablets": "tablet", "pill": "tablet", "pills": "tablet", "tab": "tablet",
            "tabs": "tablet", "capsule": "capsule", "capsules": "capsule", "drop": "drop", "drops": "drop",
            "puff": "puff", "puffs": "puff", "spray": "spray", "sprays": "spray", "patch": "patch",
            "patches": "patch", "sachet": "sachet", "sachets": "sachet", "dose": "dose", "doses": "dose",
            "injection": "injection", "injections": "injection", "suppository": "suppository", "spoon": "spoon",
            "spoons": "spoon",
        ],
        doseUnits: [
            "tablet", "tablets", "pill", "pills", "capsule", "capsules", "drop", "drops", "puff", "puffs", "spoon",
            "spoons",
        ],
        measures: [
            "l", "cl", "dl", "cc", "liter", "liters", "litre", "litres", "oz", "ounce", "ounces", "ng", "nanogram",
            "nanograms", "mgs", "mls", "kilogramme", "kilogrammes",
        ],
        doubtful: [
            "quarter", "quarters", "third", "thirds", "point", "zero", "thousand", "thousands", "hundred", "hundreds",
            "million", "dozen", "couple", "halves", "fifth", "fifths", "eighth", "eighths", "percent", "minus", "dot",
            "comma", "slash",
        ],
        repeats: ["twice", "thrice", "times", "double", "triple", "x", "more", "less", "extra", "maybe"],
        negations: [
            "not", "no", "none", "nor", "neither", "never", "cannot", "without", "hardly", "nearly", "almost",
            "should", "would", "could", "refused", "forget", "miss", "missing", "skipping", "forgetting",
        ],
        auxiliaries: [
            "have", "hav", "has", "had", "did", "do", "does", "is", "are", "was", "were", "wo", "ca", "could",
            "should", "would", "might", "must", "need", "ai", "sha",
        ],
        periods: [
            "every", "day", "days", "daily", "hour", "hours", "hourly", "minute", "minutes", "week", "weeks", "weekly",
            "weekday", "weekdays", "weekend", "weekends", "fortnight", "fortnights", "fortnightly", "biweekly",
            "month", "months", "monthly", "bimonthly", "quarterly", "year", "years", "yearly", "annually", "once",
            "twice", "thrice", "times", "other", "second", "alternate", "alternating", "except", "until", "till",
            "tomorrow", "next", "before", "after", "nightly", "noon", "midday", "midnight", "am", "pm", "oclock",
            "needed", "required", "necessary", "quarter",
        ],
        weightUnits: [
            "kg": "kg", "kgs": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "lb": "lb",
            "lbs": "lb", "pound": "lb", "pounds": "lb", "g": "g", "gram": "g", "grams": "g",
        ],
        foodUnits: [
            "g", "gram", "grams", "kg", "ml", "l", "cup", "cups", "glass", "glasses", "slice", "slices", "bowl",
            "bowls", "piece", "pieces", "plate", "plates", "spoon", "spoons", "tablespoon", "tablespoons", "teaspoon",
            "teaspoons", "oz", "ounce", "ounces", "bottle", "bottles", "can", "cans", "handful",
        ],
        weekdays: [
            "monday": .monday, "mondays": .monday, "tuesday": .tuesday, "tuesdays": .tuesday, "wednesday": .wednesday,
            "wednesdays": .wednesday, "thursday": .thursday, "thursdays": .thursday, "friday": .friday,
            "fridays": .friday, "saturday": .saturday, "saturdays": .saturday, "sunday": .sunday, "sundays": .sunday,
        ],
        daytimes: [
            "morning": Daytime(usual: 480, hours: 0..<12), "mornings": Daytime(usual: 480, hours: 0..<12),
            "afternoon": Daytime(usual: 900, hours: 12..<18), "afternoons": Daytime(usual: 900, hours: 12..<18),
            "evening": Daytime(usual: 1_110, hours: 17..<24), "evenings": Daytime(usual: 1_110, hours: 17..<24),
            "night": Daytime(usual: 1_320, hours: 18..<24), "nights": Daytime(usual: 1_320, hours: 18..<24),
            "bedtime": Daytime(usual: 1_320, hours: 18..<24, meal: "bedtime"),
            "breakfast": Daytime(usual: 480, hours: 0..<12, meal: "breakfast"),
            "lunch": Daytime(usual: 750, hours: 11..<15, meal: "lunch"),
            "dinner": Daytime(usual: 1_110, hours: 17..<24, meal: "dinner"),
            "supper": Daytime(usual: 1_110, hours: 17..<24, meal: "dinner"),
        ],
        reasons: [
            "forgot": .forgot, "forgotten": .forgot, "sick": .unwell, "nausea": .unwell, "unwell": .unwell,
            "ill": .unwell, "travelling": .travel, "traveling": .travel, "travel": .travel, "empty": .outOfStock,
            "stock": .outOfStock, "ran": .outOfStock, "advised": .advised, "doctor": .advised,
        ]
    )
}
