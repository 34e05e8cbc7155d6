import ListChanges

/// Stops the program with a sentence if SQLite cannot have a column of this name beside the others.
func requireColumnName(_ name: String, others: [String]) {
    require(
        !name.isEmpty && !name.utf8.contains(0),
        "A column needs a name without NUL characters, not \(name.debugDescription).")
    require(
        !["rowid", "oid", "_rowid_"].contains(name.lowercased()),
        "\"\(name)\" is SQLite's own name of the rowid. Choose another name for the column.")
    require(
        !others.contains { $0.lowercased() == name.lowercased() },
        "There is a column \"\(name)\" already; SQLite ignores the case of names. Choose another name.")
}
