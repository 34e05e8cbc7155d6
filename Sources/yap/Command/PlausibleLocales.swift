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

/// Whether a name looks like `C`, `de`, `de_DE.UTF-8`, `sr_RS.UTF-8@latin` or `zh-Hans-CN`.
func isPlausibleLocale(_ name: String) -> Bool {
    name.isEmpty
        || name.wholeMatch(
            of:
                /[A-Za-z]{1,8}([_-][A-Za-z]{4})?([_-]([A-Za-z]{2}|[0-9]{3}))?(\.[A-Za-z0-9-]{1,16})?(@[A-Za-z0-9]{1,16})?/
        )
            != nil
}
