package import FoundationEssentials
internal import HealthModel

/// The page that shows the progress of a document that takes a while to create.
package struct PreparingPage: WebPage {
    package static let template = Template("preparing")

    package let heading: String
    package let back: String
    /// The address from which the finished document is downloaded.
    package let file: String?
    /// How long it has been in progress, in words; nil once it is finished.
    package let description: String?
    /// The same in seconds, for the progress bar.
    package let seconds: String?
    package let atMost: String?

    /// Creates the page of a document in progress.
    package init(record: UUID, seconds: Int, atMost: Int, _ reader: Reader) {
        heading = reader.words["preparingHeading"]
        back = "/records/\(record.text)/export"
        file = nil
        description = reader.words["preparingFor", reader.number(seconds), reader.number(atMost)]
        self.seconds = String(min(seconds, atMost))
        self.atMost = String(atMost)
    }

    /// Creates the page of a finished document.
    package init(record: UUID, file: String, _ reader: Reader) {
        heading = reader.words["preparedHeading"]
        back = "/records/\(record.text)/export"
        self.file = file
        (description, seconds, atMost) = (nil, nil, nil)
    }
}
