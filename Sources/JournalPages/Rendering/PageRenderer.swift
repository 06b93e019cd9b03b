internal import Mustache

/// Renders pages from templates and texts; the only place where text becomes HTML.
package struct PageRenderer: Sendable {
    private let library: MustacheLibrary
    package let words: Words

    package init() throws {
        words = try Words(parsing: PackageResources.english_words)
        MustacheContentTypes.register(EscapedHTML(), named: EscapedHTML.name)
        var library = MustacheLibrary()
        for (name, bytes) in Templates.all {
            // Set in each template, because the library resets the content type to its own in each partial.
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

/// The content of one template.
///
/// The template reads the properties by name; a dot before a name prevents its lookup in outer contexts.
package protocol WebPage: Sendable {
    /// The name of the template file, without its extension.
    static var template: String { get }
}

/// The root context of a template.
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
