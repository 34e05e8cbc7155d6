import Foundation

/// Removes invalid locale names from the environment. ICU, which Foundation uses, writes beyond its buffers for names
/// that are too long, and an escape in one must not get into a message.
func keepPlausibleLocales() {
    for (name, value) in ProcessInfo.processInfo.environment where name == "LANG" || name.hasPrefix("LC_") {
        if !isPlausibleLocale(value) { unsetenv(name) }
    }
    let languages = ProcessInfo.processInfo.environment["LANGUAGE"] ?? ""
    if !languages.split(separator: ":").allSatisfy({ isPlausibleLocale(String($0)) }) { unsetenv("LANGUAGE") }
}

/// Whether a name looks like `C`, `de`, `de_DE.UTF-8`, `sr_RS.UTF-8@latin` or `zh-Hans-CN`: a language, a script, a country,
/// an encoding and a modifier, of which only the language must be there. Every start asks, and a regular expression would be
/// parsed for it.
func isPlausibleLocale(_ name: String) -> Bool {
    var rest = Substring(name).utf8
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    /// Takes a separator and what follows it, if that has a length and only bytes of a kind.
    func take(_ separators: String, _ lengths: ClosedRange<Int>, _ isRight: (UInt8) -> Bool) -> Bool {
        guard let first = rest.first, separators.utf8.contains(first) else { return false }
        let part = rest.dropFirst().prefix(while: isRight)
        guard lengths.contains(part.count) else { return false }
        rest = rest.dropFirst(1 + part.count)
        return true
    }
    let language = rest.prefix(while: isLetter)
    guard !name.isEmpty else { return true }
    guard (1...8).contains(language.count) else { return false }
    rest = rest.dropFirst(language.count)
    _ = take("_-", 4...4, isLetter)
    _ = take("_-", 2...2, isLetter) || take("_-", 3...3, isDigit)
    _ = take(".", 1...16) { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    _ = take("@", 1...16) { isLetter($0) || isDigit($0) }
    return rest.isEmpty
}
