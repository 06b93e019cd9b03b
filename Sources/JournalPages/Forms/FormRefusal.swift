/// Why a form was not saved, with links to the fields that are wrong.
struct FormRefusal: Sendable {
    /// A problem of the whole form.
    let problem: String?
    let problems: [FieldProblem]
    let hasProblems: Bool

    struct FieldProblem: Sendable {
        /// The HTML id of the field.
        let id: String
        let label: String
        let text: String
    }

    /// Nil if neither the form nor a field of it has a problem.
    init?(_ problem: String?, _ fields: [FormField]) {
        problems = fields.compactMap { field in
            let label = [field.line?.label, field.label].compactMap(\.self).joined(separator: ", ")
            return field.problem.map { FieldProblem(id: field.id, label: label, text: $0) }
        }
        hasProblems = !problems.isEmpty
        guard hasProblems || problem != nil else { return nil }
        self.problem = problem
    }
}
