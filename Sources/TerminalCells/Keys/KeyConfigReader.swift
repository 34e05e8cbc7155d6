/// Parses the lines of a key file.
struct KeyConfigReader {
    let screens: [String]
    private(set) var entries: [KeyConfig.Entry] = []
    private(set) var problems: [KeyConfigError.Problem] = []
    /// The screen that the following lines apply to.
    private var screen: String?

    init(screens: [String]) { self.screens = screens }

    mutating func read(_ line: Substring, number: Int) {
        let words = line.split { $0.isWhitespace }.map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { return }
        let rest = words.dropFirst().prefix { !$0.hasPrefix("#") }
        if rest.isEmpty, name.count > 2, name.hasPrefix("["), name.hasSuffix("]") {
            return begin(String(name.dropFirst().dropLast()), number)
        }
        guard let action = rest.first, rest.count == 1 else {
            return complain(number, "a line is a key and an action, as in \"ctrl-j next\"")
        }
        guard let keys = KeyStroke.parse(name) else {
            return complain(
                number, "there is no key \"\(name)\"; write j, G, zz, ctrl-d, alt-x, enter, pgdn, f1")
        }
        entries.append(
            KeyConfig.Entry(
                line: number, screen: screen, keys: keys, action: action == "none" ? nil : Action(rawValue: action)))
    }

    private mutating func begin(_ name: String, _ number: Int) {
        screen = name
        if screens.contains(name) { return }
        let known = screens.map { "[\($0)]" }.joined(separator: ", ")
        complain(number, "there is no screen \"\(name)\"; there are \(known)")
    }

    private mutating func complain(_ number: Int, _ text: String) {
        problems.append(KeyConfigError.Problem(line: number, text: text))
    }
}
