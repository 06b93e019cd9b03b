internal import Mustache

/// Makes pages of what they show: templates, words, and the one place where a text becomes HTML.
package struct PageRenderer: Sendable {
    private let library: MustacheLibrary
    package let words: Words

    package init() throws {
        words = try Words(parsing: PackageResources.english_words)
        MustacheContentTypes.register(EscapedHTML(), named: EscapedHTML.name)
        var library = MustacheLibrary()
        for (name, bytes) in Templates.all {
            // Every template by itself: the library's own way of escaping comes back with each partial.
            let source = "{{% CONTENT_TYPE:\(EscapedHTML.name)}}" + String(decoding: bytes, as: UTF8.self)
            try library.register(source, named: name)
        }
        self.library = library
    }

    package func render(_ page: some WebPage, in frame: PageFrame) -> String {
        let context = PageContext(words: words, frame: ReflectedValue(frame), page: ReflectedValue(page))
        guard let text = library.render(context, withTemplate: type(of: page).template) else {
            preconditionFailure("no template is called \(type(of: page).template)")
        }
        return text
    }
}

/// What one template shows.
///
/// A template reads the properties by their names; a dot before a name keeps it from being looked for further out.
package protocol WebPage: Sendable {
    /// The name of its file, without the ending.
    static var template: String { get }
}

/// What a template can name.
private struct PageContext: MustacheParent {
    let words: Words
    let frame: ReflectedValue
    let page: ReflectedValue

    func child(named name: String) -> Any? {
        switch name {
        case "w": words
        case "frame": frame
        case "page": page
        default: nil
        }
    }
}
