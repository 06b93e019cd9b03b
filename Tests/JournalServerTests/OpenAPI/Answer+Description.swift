import HTTPTypes
import Interchange
import Testing

@testable import JournalServer

extension Answer {
    /// Checks an answer of any test against the description of the service: its status, its media type, its headers,
    /// and the type of its problem.
    func checkDescription(_ method: HTTPRequest.Method, _ uri: String) {
        let sent = method == .head ? HTTPRequest.Method.get : method
        let path = uri.prefix { $0 != "?" }.split(separator: "/")
        let found = OpenAPI.operations.first { operation in
            let parts = operation.path.split(separator: "/")
            return operation.method == sent && parts.count == path.count
                && zip(parts, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        guard let operation = found else { return }
        let place = "\(operation.id) \(status)"
        let mediaType = headers[.contentType].map { String($0.prefix { $0 != ";" }) }
        if status >= 400, !operation.answers.contains(where: { $0.status == status }) {
            #expect(mediaType == "application/problem+json", "\(place)")
            // An answer to HEAD has no body, so it does not contain the problem's type.
            let type = ProblemType(rawValue: problem ?? "")
            #expect(method == .head || type?.status.code == status, "\(place) \(problem ?? "")")
            #expect(operation.json["responses"]?["\(status)"] != nil, "\(place) is not described")
            return
        }
        guard let answer = operation.answers.first(where: { $0.status == status }) else {
            Issue.record("\(place) is not described")
            return
        }
        #expect(answer.content.isEmpty || answer.content.contains { $0.mediaType == mediaType }, "\(place)")
        for header in answer.headers {
            #expect(HTTPField.Name(header.name).flatMap { headers[$0] } != nil, "\(place) \(header.name)")
        }
    }
}
