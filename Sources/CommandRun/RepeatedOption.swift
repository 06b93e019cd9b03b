internal import ArgumentParser

/// Finds an option that takes one value and is given several; the parser would use the last one without a word.
package enum RepeatedOption {
    /// The long names of options that have two of them; an option with a short name, such as -o, has two as well.
    private static let namesOfSame: Set<String> = ["--until", "--happened-by", "--since", "--from", "--to"]

    /// Returns the first such option, by the name with which it is repeated; nil if there is none.
    ///
    /// A flag that is given twice means the same as one.
    package static func name(in path: CommandPath) -> String? {
        name(in: path) { OptionInfo.list(of: path.command) }
    }

    /// Returns the first such option; `listed` lists the options of the path's command.
    static func name(in path: CommandPath, _ listed: () -> [OptionInfo]) -> String? {
        let arguments = path.arguments.prefix { $0 != "--" }
        let names = arguments.filter { $0.hasPrefix("-") }.map(OptionInfo.name)
        // Listing a command's options takes a while, so that it is done only if a name may be repeated.
        let mayBeSame = names.contains { !$0.hasPrefix("--") || namesOfSame.contains($0) }
        guard Set(names).count < names.count || mayBeSame else { return nil }
        let options = listed()
        var given = Set<Int>()
        var left = arguments
        while let argument = left.popFirst() {
            let name = OptionInfo.name(in: argument)
            guard let index = options.firstIndex(where: { $0.names.contains(name) }), options[index].kind == .option
            else { continue }
            if options[index].takesAnything, name == argument { _ = left.popFirst() }
            if !given.insert(index).inserted, !options[index].isRepeating { return name }
        }
        return nil
    }
}
