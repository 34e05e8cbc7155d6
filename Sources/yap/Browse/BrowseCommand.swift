import Browser
import FileReading
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
        fields. Values are whole, however large. What JSON has no form for is an object whose first name begins with $:

          {"$date": "2016-11-05T00:53:20Z"}       a time in UTC; {"$secondsSince2001": n} beyond 999,999 years
          {"$data": base64}                       bytes that are data; {"$uuid": …}, {"$url": …}, {"$set": […]}
          {"$double": "nan"}                      a number that is none, or "inf", "-inf"
          {"$class": name, …}                     an object of a class that only its app knows, and its fields
          {"$dictionary": [[key, value], …]}      a dictionary with keys that are no strings
          {"$ref": "$.sender"}                    the object at this path, which this one is or is inside of
          {"$hex": …, "error": …}                 bytes that nothing decodes, two digits each
          {"$hex": …, "$size": n, "error": …}     the first bytes of n, where a damaged file has no more
          {"$partial": value, "error": …}         a value of which something is damaged, or only its beginning
          {"error": …}                            the place inside of a value that is damaged
          {"$omitted": "12 more values"}          what would make a few bytes into gigabytes, or is deeper than 500 levels
                                                  in an archive that is unusual; in an object a member of that name

        A name of the data's own that begins with $ has one more: {"$$date": …} is a dictionary with the key $date.
        A row's "size" is that of its object in bytes; a row that cannot be read whole has an "error".

        \(KeyFile.help(screen: "browse", BrowserKeys.standard.maps))

        Exit code 0: shown, all of it. 1: it cannot be read, or there is no such thing in it; --search found nothing. 2: the
        options make no sense. 3: shown in part, for some of it is damaged, cut off or left out, as marks and messages say.
        130: Ctrl-C. A reader that goes away, as head does, ends it by SIGPIPE.
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
    return try StandardOutput.whole { try request.print(file, to: $0) }
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
