import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// CSV files and address books that are imported into a record.
extension ExchangePages {
    private static let tableOptions = ["decimal", "datePattern", "cards", "mapping"]

    @Sendable func newTable(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        // Only those who may import into the record see the form.
        _ = try await journal.imports.list(into: visit.record(), visit.caller)
        let head = try await head(visit)
        let form = tableForm(head, reader)
        return visit.response(form, form.heading)
    }

    @Sendable func lookAtTable(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.upload()
        let head = try await head(visit)
        do {
            let bytes = try typed.document()
            if !VCardDocument.isAddressBook(bytes),
                let columns = try await journal.imports.unknownColumns(
                    of: CSVRequest(bytes, into: visit.record()),
                    visit.caller
                )
            {
                let form = columnsForm(columns, of: bytes, head, reader, typed)
                return visit.response(form, form.heading)
            }
            let page = try await preview(bytes, typed.values, head, visit, key: pages.key(typed))
            return visit.response(page, reader.words["importReport"])
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let form = tableForm(head, reader, typed, error)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    /// Previews a file for which a person has said what its columns contain.
    @Sendable func lookAtColumns(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form(atMost: ExchangePages.formBytes)
        let head = try await head(visit)
        guard let bytes = Data(base64Encoded: typed["content"]).map({ Array($0) }), let columns = try? CSVColumns(bytes)
        else { throw Problem.staleForm }
        if !typed["again"].isEmpty {
            let form = columnsForm(columns, of: bytes, head, reader, typed)
            return visit.response(form, form.heading)
        }
        do {
            let contents = columns.columns.indices.map { number in
                CSVColumns.Content(rawValue: typed[ExchangePages.fieldName(number)]) ?? .nothing
            }
            var values = typed.values
            values["mapping"] = JSONWriter.text(try columns.mapping(contents, weightUnit: typed["weightUnit"]))
            let page = try await preview(bytes, values, head, visit, key: pages.key(typed))
            return visit.response(page, reader.words["importReport"])
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            let form = columnsForm(columns, of: bytes, head, reader, typed, error)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    private func preview(
        _ bytes: [UInt8],
        _ options: [String: String],
        _ head: RecordHead,
        _ visit: PageVisit,
        key: String
    ) async throws -> ImportPage {
        let reader = visit.reader
        let report = try await takeTable(bytes, options, isTrial: true, visit)
        var page = ImportPage(
            [report.item(head.name, reader)],
            above: ("\(head.address)/imports", head.name),
            action: "\(head.address)/imports/csv/take",
            cancel: "\(head.address)/imports",
            isNothingNew: report.bringsNothing,
            fields: [ImportPage.Hidden("content", Data(bytes).base64EncodedString())]
                + ExchangePages.tableOptions.map { ImportPage.Hidden($0, options[$0] ?? "") },
            key: key
        )
        let isOther = VCardDocument.isAddressBook(bytes) || CSVTable.isTable(bytes)
        if !isOther, (try? CSVColumns(bytes)) != nil { page.again = "\(head.address)/imports/csv/columns" }
        return page
    }

    /// The sentence for an error, with its place in the file.
    private func sentence(_ error: JournalError, _ words: Words) -> String {
        guard let place = error.field?.wholeMatch(of: /line ([0-9]+)(?:, column (.*))?/) else {
            return words.sentence(error.text, of: error.field)
        }
        let line = String(place.1)
        let named = place.2.map { words["csvPlace", line, String($0)] } ?? words["csvLine", line]
        return words.sentence(error.text, at: named)
    }

    @Sendable func takeTable(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form(atMost: ExchangePages.formBytes)
        guard let bytes = Data(base64Encoded: typed["content"]) else { throw Problem.staleForm }
        let report = try await takeTable(Array(bytes), typed.values, isTrial: false, visit)
        return Pages.redirect(to: "/records/\(report.record.text)?done=imported")
    }

    private func takeTable(
        _ bytes: [UInt8],
        _ options: [String: String],
        isTrial: Bool,
        _ visit: PageVisit
    ) async throws -> ImportReport {
        var caller = try visit.caller
        caller.source = .import
        if VCardDocument.isAddressBook(bytes) {
            let kind = VCard.kinds.first { $0.name == options["cards"] } ?? Doctor.kind
            return try await journal.imports.take(
                journal.imports.readCards(bytes, as: kind, into: visit.record(), isTrial: isTrial, caller),
                digest: BlobStore.digest(of: bytes),
                isTrial: isTrial,
                caller
            )
        }
        var file = try CSVRequest(bytes, into: visit.record())
        file.decimal = CSVNumbers.sign(named: options["decimal"] ?? "")
        if let text = options["mapping"], !text.isEmpty {
            // The page wrote it.
            guard let mapping = try? CSVMapping(JSONReader.read(Array(text.utf8))) else { throw Problem.staleForm }
            file.mapping = mapping
        }
        let pattern = options["datePattern"] ?? ""
        do throws(ModelError) { file.datePattern = pattern.isEmpty ? nil : try CSVDatePattern(pattern) } catch {
            throw JournalError(.invalid, field: "datePattern", error.text)
        }
        let document = try await journal.imports.read(file, isTrial: isTrial, caller)
        return try await journal.imports.take(
            document.record(file.record),
            digest: BlobStore.digest(of: bytes),
            isTrial: isTrial,
            caller
        )
    }

    private func tableForm(
        _ head: RecordHead,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ error: JournalError? = nil
    ) -> FormPage {
        let words = reader.words
        let ofField = ["file", "datePattern"].contains(error?.field) ? error : nil
        func problem(_ name: String) -> String? {
            ofField?.field == name ? ofField.map { words.sentence($0.text) } : nil
        }
        var file = FormField("file", words["file"], .file, problem: problem("file"))
        file.isRequired = true
        var cards = FormField("cards", words["cardsBecome"], .choice)
        cards.options = VCard.kinds.map { kind in
            FormOption(kind.name, words.label(kind.plural), isChosen: kind.name == typed?["cards"] ?? Doctor.kind.name)
        }
        return FormPage(
            head,
            heading: words["csvHeading"],
            lead: words["csvLead"],
            problem: error.map {
                ofField == nil ? sentence($0, words) : words.count(1, "fieldsWrong", "1")
            },
            action: "\(head.address)/imports/csv",
            cancel: "\(head.address)/imports",
            submit: words["importLook"],
            fields: [file] + readingFields(typed, reader, problem("datePattern")) + [cards],
            key: pages.key()
        )
    }

    /// The fields that say how numbers and dates are written.
    private func readingFields(_ typed: PageForm?, _ reader: Reader, _ problem: String?) -> [FormField] {
        let words = reader.words
        var decimal = FormField("decimal", words["csvDecimal"], .choice)
        decimal.options = ["", "point", "comma"]
            .map { name in
                FormOption(
                    name,
                    words["csvDecimal.\(name.isEmpty ? "guess" : name)"],
                    isChosen: name == typed?["decimal"] ?? ""
                )
            }
        var pattern = FormField(
            "datePattern",
            words["csvDates"],
            .line,
            value: typed?["datePattern"] ?? "",
            problem: problem
        )
        pattern.hint = words["hint.csvDates"]
        return [decimal, pattern]
    }

    private static func fieldName(_ column: Int) -> String { "column\(column)" }

    /// The form that asks what the columns of a file contain.
    private func columnsForm(
        _ columns: CSVColumns,
        of bytes: [UInt8],
        _ head: RecordHead,
        _ reader: Reader,
        _ typed: PageForm,
        _ error: JournalError? = nil
    ) -> FormPage {
        let words = reader.words
        let isAnswered = error != nil
        let contents = columns.columns.enumerated()
            .map { number, column in
                let name = ExchangePages.fieldName(number)
                let chosen = isAnswered ? typed[name] : column.guess.rawValue
                var field = FormField(name, column.name, .choice, value: chosen)
                field.hint = column.samples.isEmpty ? nil : column.samples.joined(separator: " · ")
                field.options = CSVColumns.Content.allCases.map { content in
                    let label = words["csvContent.\(content)"]
                    return FormOption(content.rawValue, label, isChosen: content.rawValue == chosen)
                }
                return field
            }
        let unit = typed["weightUnit"]
        var units = FormField("weightUnit", words["csvWeightUnit"], .choice, value: unit)
        units.options = ["", "kg", "g", "lb"]
            .map { FormOption($0, $0.isEmpty ? words["notSaid"] : $0, isChosen: $0 == unit) }
        let ofDates = error?.field == "datePattern" ? error.map { words.sentence($0.text) } : nil
        var form = FormPage(
            head,
            heading: words["csvColumns"],
            lead: words["csvColumnsLead"],
            problem: error.map {
                ofDates == nil ? sentence($0, words) : words.count(1, "fieldsWrong", "1")
            },
            action: "\(head.address)/imports/csv/columns",
            cancel: "\(head.address)/imports",
            submit: words["importLook"],
            fields: contents + [units] + readingFields(typed, reader, ofDates),
            key: pages.key(typed)
        )
        form.hidden = [.init("content", Data(bytes).base64EncodedString())]
        return form
    }
}
