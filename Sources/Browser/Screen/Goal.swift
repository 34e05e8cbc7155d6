import FileBrowser

/// What is to be selected in a list that is on its way.
struct Goal: Hashable, Sendable {
    var subject: ListSubject
    var rowid: Int64
}
