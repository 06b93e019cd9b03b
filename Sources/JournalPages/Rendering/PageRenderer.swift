internal import Mustache

/// Renders pages from templates and texts; the only place where text becomes HTML.
package struct PageRenderer: Sendable {
    /// The templates that other templates include.
    private let library: MustacheLibrary

    package init() throws {
        var library = MustacheLibrary()
        for name in Template.partials { library.register(try Template.parse(Template.source(name)), named: name) }
        self.library = library
    }

    /// Renders a page in the language of `words`, in which the texts of the page must be, too.
    package func render(_ page: some WebPage, in frame: PageFrame, _ words: Words) -> String {
        let context = PageContext(words: words, frame: ReflectedValue(frame), page: ReflectedValue(page))
        return type(of: page).template.parsed.render(context, library: library)
    }
}

/// The content of one template.
///
/// The template reads the properties by name; a dot before a name prevents its lookup in outer contexts.
package protocol WebPage: Sendable {
    static var template: Template { get }
    /// Whether the page shows a form again because something in it must be corrected or confirmed; its title says so.
    var isRefused: Bool { get }
}

extension WebPage {
    package var isRefused: Bool { false }
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
