import Browser
import FileBrowser
import Foundation
import YapDatabase

@MainActor let browseCommand = Command(
    name: "browse", usage: "[OPTIONS] FILE", summary: "Shows what is in any YapDatabase file, and never writes to it.",
    details: """
        Opens the file of any app, from a simulator, a backup or a crash report, and shows what the app saw: collections,
        views with their groups, indexes, and every row decoded: keyed archives, property lists, JSON, gzip, protobuf.
        The file, its log and the log's index stay as they are to the last byte, also while another program writes.

          yap browse app.sqlite                        # on a terminal: the screen, live; ? shows its keys
          yap browse app.sqlite --list
          yap browse app.sqlite --json --view order --group fantasy --last 20 --reversed
          yap browse app.sqlite --json --collection books | jq .object.title
          yap browse app.sqlite --key books/dune
          yap browse app.sqlite --search dune
          yap browse app.sqlite --view order --follow

        On the screen and in lines, in whatever order they are asked for, first the order counts (s, --by), then what matches
        (&, --match), then the range (R, --first, --last), then the reversal (r, --reversed).

        Where standard output is no terminal, or with --json, --csv or --plain, rows are lines: one JSON object each, or
        fields. What JSON has no form for is an object with a $ in front of its name: {"$date": time in UTC},
        {"$data": base64}, {"$uuid": …}, {"$url": …}, {"$set": […]}, {"$class": name, its fields} for a class that only its
        app knows, {"$ref": path} for an object inside itself, {"$hex": …, "error": …} for bytes that nothing decodes.

        \(KeyFile.help(screen: "browse", BrowserKeys.standard.maps))

        Exit code 0: shown. 1: it cannot be read, or there is no such thing in it. 2: the options make no sense. 130: Ctrl-C.
        """,
    options: browseOptions + BrowseOnScreen.options
) { options in
    let path = try options.file()
    try BrowseOnScreen.check(options)
    if BrowseOnScreen.isWanted(options) { return try BrowseOnScreen.run(options, path: path) }
    let request = try BrowseRequest(options)
    exitOnInterrupt()
    let file = try BrowsedFile(path: path)
    for note in file.notes { printError(note) }
    try StandardOutput.whole { try request.print(file, to: $0) }
    return ExitCode.good
}

private let browseOptions = [
    Option(
        name: "list", help: "Lists everything in the file, with counts; this is what is done if nothing else is asked."),
    Option(name: "collection", argument: "NAME", help: "The rows of a collection."),
    Option(name: "view", argument: "NAME", help: "The rows of a view, group by group."),
    Option(name: "group", argument: "NAME", help: "Only this group of the view."),
    Option(name: "index", argument: "NAME", help: "The rows of a secondary index."),
    Option(name: "full-text", argument: "NAME", help: "The rows of a full-text index."),
    Option(
        name: "match", argument: "QUERY", help: "Only those of the full-text index that match, as SQLite's MATCH does."),
    Option(name: "relationship", argument: "NAME", help: "The edges of a relationship."),
    Option(name: "r-tree", argument: "NAME", help: "The rows of an R-tree, with their boxes."),
    Option(name: "yap2", help: "The file's own small values."),
    Option(name: "by", argument: "ORDER", help: "key (the default) or rowid for a collection; a column for an index."),
    Option(name: "first", argument: "N", help: "Only the first N rows of each group."),
    Option(name: "last", argument: "N", help: "Only the last N rows of each group."),
    Option(name: "reversed", help: "These rows from the last to the first."),
    Option(name: "key", argument: "COLLECTION/KEY", help: "One row; /KEY for the collection without a name."),
    Option(
        name: "search", argument: "TEXT",
        help:
            "The rows whose key or decoded content has the text; its letters match capitals unless it has some itself."),
    Option(name: "keys-only", help: "Searches keys alone, millions a second."),
    Option(name: "follow", help: "Prints each change of the list as it is committed, a JSON object a line."),
    Option(name: "json", help: "Prints a JSON object a line."),
    Option(name: "csv", help: "Prints comma-separated values, as RFC 4180 has them."),
    Option(name: "plain", help: "Prints columns of text, in which control characters can be seen."),
]
