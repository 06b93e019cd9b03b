/// The description of a practice or of a part of it, which events store as a whole.
package protocol ClinicProfile: FieldDescribed, EventValue {
    var values: FieldValues { get set }
}

extension ClinicProfile {
    package static var fieldType: FieldType { .group(fields) }
    package var fieldValue: FieldValue? { .group(values) }

    package init?(fieldValue: FieldValue?) {
        switch fieldValue {
        case .group(let values)?: self.init(values: values)
        case nil: self.init(values: FieldValues())
        default: return nil
        }
    }

    package func check() throws(ModelError) {}

    func minutes(_ field: Field) -> Int? { values.integer(field).flatMap { Int(exactly: $0) } }
}

/// Fields that several profiles have; the number differs.
package enum ClinicFields {
    package static let latitude = Field(1, "latitude", "Latitude", .decimal(-90...90))
    package static let longitude = Field(2, "longitude", "Longitude", .decimal(-180...180))
    package static let address = Field(3, "address", "Address", Doctor.address.type)
}
