package import HealthModel

// MARK: - Words

extension Absence.Reason: DocumentWord {}
extension CalendarLink.Feed: DocumentWord {}
extension CalendarLink.Times: DocumentWord {}
extension ClinicRole: DocumentWord {}
extension DoseWarning: DocumentWord {}
extension FindingState: DocumentWord {}
extension InteractionSeverity: DocumentWord {}
extension LoggedDose.Status: DocumentWord {}
extension NameSuggestion.Source: DocumentWord {}
extension NoSlotReason: DocumentWord {}
extension OperatingDocument.State: DocumentWord {}
extension RegistrationStatus: DocumentWord {}
extension ReminderChannel.Kind: DocumentWord {}
extension ReminderDetail: DocumentWord {}
extension ServiceDuration.Reason: DocumentWord {}
extension SlotState: DocumentWord {}
extension TriageState.LeaveReason: DocumentWord {}
extension TriageState.Status: DocumentWord {}
extension WaitStatus: DocumentWord {}

extension AccountKind: DocumentCode {}

// MARK: - Fields

extension ClientProfile: DocumentSettings {}
extension PracticeProfile: DocumentSettings {}
extension SpecialistProfile: DocumentSettings {}
extension TriageAssessment: DocumentSettings {}
extension WaitProfile: DocumentSettings {}

// MARK: - Texts and numbers

extension Slot: DocumentValue {
    package static var schema: JSONValue { ["type": "string"] }
    package var memberValue: JSONValue? { .string(description) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> Slot {
        try Slot(parsing: object.required(name))
    }
}

extension PlanStrength: DocumentValue {
    package static var schema: JSONValue {
        ["type": "string", "description": "How much of its substances one unit contains, such as 5 mg."]
    }
    package var memberValue: JSONValue? { .string(text()) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> PlanStrength {
        do { return try PlanStrength(parsing: object.required(name)) } catch {
            throw error.at(object.path.appending(name))
        }
    }
}

extension TokenScope: DocumentValue {
    package var memberValue: JSONValue? { .string(description) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> TokenScope {
        try TokenScope(parsing: object.required(name))
    }
}

extension UrgencyLevel: DocumentValue {
    package static var schema: JSONValue {
        ["type": "integer", "minimum": 1, "maximum": 5, "description": "From 1 (red) to 5 (blue)."]
    }
    /// Describes the name of a level.
    static var names: JSONValue { ["enum": .array(allCases.map { .string($0.name) })] }
    package var memberValue: JSONValue? { .integer(rawValue) }

    package static func read(_ name: String, of object: NativeObject) throws(ModelError) -> UrgencyLevel {
        guard let level = try object.level(name) else {
            throw ModelError(.invalid, field: object.path.appending(name).field, "is required")
        }
        return level
    }
}
