import NearestName

/// The error of a command, or an option, that names a person who has never been in this chat.
struct UnknownPerson: Error, CustomStringConvertible {
    let name: String
    let nearest: String?
    /// The command with which other people join; nil if they cannot join.
    let invitation: String?

    var description: String {
        let hint =
            nearest.map(didYouMean) ?? invitation.map { "Ask them to come in with \($0)" }
            ?? "Ctrl-K lists whom you can write to."
        return "\"\(name)\" has never been in this chat. \(hint)"
    }
}
