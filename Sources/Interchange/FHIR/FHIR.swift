import FoundationEssentials
import HealthModel

/// Elements of resources of FHIR R4, as JSON (https://hl7.org/fhir/R4/datatypes.html).
package enum FHIR {
    static let recordSystem = "urn:healthjournal:record"
    /// Extensions of this journal begin with it.
    static let extensionBase = "urn:healthjournal:fhir:"

    /// Code systems.
    enum System {
        static let act = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
        static let appointmentReason = "http://terminology.hl7.org/CodeSystem/v2-0276"
        static let cancellation = "http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason"
        static let observationCategory = "http://terminology.hl7.org/CodeSystem/observation-category"
        static let physicalType = "http://terminology.hl7.org/CodeSystem/location-physical-type"
        static let loinc = "http://loinc.org"
        static let ucum = "http://unitsofmeasure.org"
        static let dataAbsent = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
        static let allergyStatus = "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical"
        static let allergyVerification = "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification"
        static let conditionStatus = "http://terminology.hl7.org/CodeSystem/condition-clinical"
        static let conditionVerification = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
        static let conditionCategory = "http://terminology.hl7.org/CodeSystem/condition-category"
        static let flagCategory = "http://terminology.hl7.org/CodeSystem/flag-category"
        static let contactRole = "http://terminology.hl7.org/CodeSystem/v2-0131"
        static let interpretation = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
        static let identifierType = "http://terminology.hl7.org/CodeSystem/v2-0203"
    }

    struct Coding {
        var system: String
        var code: String
        var display: String?
        var version: String?

        init(_ system: String, _ code: String, _ display: String? = nil) {
            (self.system, self.code, self.display) = (system, code, display)
        }

        var json: JSONValue {
            .present([
                "system": .notEmpty(system), "version": version.map { .string($0) }, "code": .string(code),
                "display": display.map { .string($0) },
            ])
        }
    }

    /// A reference to a resource of the same bundle.
    static func reference(_ id: UUID, display: String? = nil) -> JSONValue {
        .present(["reference": .string(url(id)), "display": display.map { .string($0) }])
    }

    static func url(_ id: UUID) -> String { "urn:uuid:\(id.text)" }

    /// A CodeableConcept; nil without a text and without a code.
    static func concept(_ text: String?, _ codings: Coding...) -> JSONValue? { concept(text, codings) }

    static func concept(_ text: String?, _ codings: [Coding]) -> JSONValue? {
        if text ?? "" == "", codings.isEmpty { return nil }
        return .present([
            "coding": codings.isEmpty ? nil : .array(codings.map(\.json)), "text": text.flatMap { .notEmpty($0) },
        ])
    }

    /// A Quantity in a unit of UCUM, with the digits of the value as they are.
    static func quantity(_ value: String, _ unit: String, ucum: String) -> JSONValue {
        [
            "value": .number(value), "unit": .string(unit), "system": .string(System.ucum), "code": .string(ucum),
        ]
    }

    /// A Period; nil if both of its ends are open.
    static func period(_ start: String?, _ end: String?) -> JSONValue? {
        if start == nil, end == nil { return nil }
        return .present(["start": start.map { .string($0) }, "end": end.map { .string($0) }])
    }

    /// ContactPoints; nil if there is none.
    static func telecom(phone: String?, email: String?) -> JSONValue? {
        let points: [JSONValue] = [("phone", phone), ("email", email)]
            .compactMap { system, value in
                value.map { ["system": .string(system), "value": .string($0)] }
            }
        return .list(points)
    }

    /// An Address with the parts that are stated, or with the text alone.
    static func address(_ values: FieldValues?) -> JSONValue? {
        guard let values, !values.isEmpty else { return nil }
        func part(_ field: Field) -> JSONValue? { values.text(field).map { .string($0) } }
        return .present([
            "text": part(Doctor.addressText), "line": values.text(Doctor.street).map { [.string($0)] },
            "city": part(Doctor.city), "state": part(Doctor.state), "postalCode": part(Doctor.zipCode),
            "country": part(Doctor.country),
        ])
    }

    /// An extension of this journal.
    static func ownExtension(_ name: String, _ type: String, _ value: JSONValue) -> JSONValue {
        .object([.init("url", .string(extensionBase + name)), .init("value" + type, value)])
    }
}

extension JSONValue {
    /// A list; nil if it is empty.
    static func list(_ items: [JSONValue]) -> JSONValue? { items.isEmpty ? nil : .array(items) }
}
