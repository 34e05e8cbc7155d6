import Browser
import FileReading
import Foundation
import YapDatabase

@MainActor let browseCommand = Command(
    name: "browse", usage: "[OPTIONS] FILE|URI",
    summary: "Shows what is in any YapDatabase file, and never writes to it.",
    details: """
        Opens the file of any app, from a simulator, a backup or a crash report, and shows its content: collections,
        views with their groups, indexes, other tables, the bytes of each, and every row decoded: keyed archives,
        property lists, JSON, gzip, protobuf. It changes no byte of the file, its log and the log's index, also while
        another program writes.

          yap browse app.sqlite                        # on a terminal: the screen, live; ? shows its keys
          yap browse app.sqlite --list
          yap browse app.sqlite --json --view order --group fantasy --last 20 --reversed
          yap browse app.sqlite --json --collection books | jq .object.title
          yap browse app.sqlite --key books/dune
          yap browse app.sqlite --search dune
          yap browse app.sqlite --view order --follow
          yap browse app.sqlite --key books/dune --follow
          yap browse other.sqlite --table people --csv

        On the screen and in lines, the steps always apply in this order: sort (s, [, ], --by, --sort), filter (&, --match,
        --where), range (R, --first, --last), reversal (r, --reversed). C counts by a field as --count-by does, and Enter
        filters by the value. w saves the list as it is on the screen to a file whose ending says the format: .csv, .jsonl
        or .md; in a row it saves the bytes of the selected value. v gives a private copy of the value to another program:
        the words of $YAP_OPEN with the file's name behind them, or else xdg-open; the copy is removed at the end.

        --where, --sort, --count-by and --columns take an expression of SQLite, whose names are fields of the decoded object:

          yap browse app.sqlite --collection books --where "price > 20 AND genre = 'sci-fi'" --sort "price DESC" --first 10
          yap browse app.sqlite --collection books --count-by genre
          yap browse app.sqlite --collection books --where "author.name LIKE '%herbert%' OR title IS NULL"
          yap browse app.sqlite --collection books --where "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'space')"
          yap browse app.sqlite --collection books --where "date > '2026-11-01' AND row.size > 1e6"

          yap browse app.sqlite --collection books --columns title,price,author.name --csv > books.csv

        author.name is a field of a field; what is deeper, or in a list, is written in double quotes:
        "author.address.city", "tags[0]", "tags[*].name". metadata.NAME is a field of the metadata; row.key,
        row.collection, row.rowid and row.size are the row's, and so are key, collection and size where the object has
        no such field. A missing field is NULL, a date is its text in UTC, true and false are 1 and 0, a list is JSON.
        Texts and dates are in single quotes. What SQLite cannot compute for a row, such as a number that is too large,
        counts as NULL for that row alone, and a message says so. So does a whole number beyond 64 bits with a sign, unless
        a floating-point number is exactly that: the nearest one would be equal to others. As a column alone, without
        more, a number is printed as it is stored.

        If standard output is not a terminal, or with --json, --csv, --plain or --markdown, each row is a line: a JSON
        object, or fields. With --table and --relationship, the fields of CSV and Markdown are the columns of the table,
        bytes as digits, as with --columns; with --index they stand before the object. Values are complete, however
        large. A value that JSON has no form for is an object whose first name begins with $:

          {"$date": "2016-11-05T00:53:20Z"}       a time in UTC; {"$secondsSince2001": n} beyond 999,999 years
          {"$data": base64}                       bytes that are data; {"$uuid": …}, {"$url": …}, {"$set": […]}
          {"$double": "nan"}                      not a number, or "inf", "-inf"
          {"$class": name, …}                     an object of a class that only its app knows, and its fields
          {"$dictionary": [[key, value], …]}      a dictionary with keys other than strings
          {"$ref": "$.sender"}                    the same object as at this path, or one that contains this one
          {"$hex": …, "error": …}                 bytes that cannot be decoded, two digits each
          {"$hex": …, "$size": n, "error": …}     the first of n bytes; the rest cannot be read
          {"$partial": value, "error": …}         a value that is partly damaged, or only its beginning
          {"error": …}                            a damaged place inside a value
          {"$omitted": "12 more values"}          values that would expand a few bytes to gigabytes, or that are deeper
                                                  than 500 levels in an unusual archive; in an object a member of that name

        A name of the data itself that begins with $ has one more: {"$$date": …} is a dictionary with the key $date.
        With --key and --json, "in" says what the row is in: views with group and index, indexes with their columns,
        full text, R-trees, and its edges in both directions, with the other row's collection and key and what a
        deletion does. A row's "size" is that of its object in bytes; a row that cannot be read completely has an
        "error".

        With --follow each change is a line: "change" is insert, delete, move, update, insertSection or deleteSection,
        "from" and "to" are [section, row] before and after. The lines of one "snapshot" lead from the list before to
        the list after, as a table view applies them. "reload" says that too much has changed to tell: it is a list of
        "count" rows that begins again. A row is its collection and key: where SQLite gives the number of a removed row to
        another one, there is a delete and an insert. While the output is behind a busy writer, the values of a deleted
        row cannot be read any more: such a line has its key if it was one of the first 20,000 shown, and no "object".

        \(EncryptedOperand.help)

        \(KeyFile.help(screen: "browse", BrowserKeys.standard.maps))

        With --space the operand is the address of a PostgreSQL server: a temporary file follows the space, and is shown like
        any other, live. `yap server --help` says more of spaces.

          yap browse --space team postgres://alice@db.example.com/yap

        Exit code 0: everything was shown. 1: the file cannot be read, it has no such item, or --search found nothing. 2: the
        options are invalid. 3: some of it was not shown, because it is damaged, cut off or left out, as marks and messages
        say; or an expression names a field that no row of the list has, which is probably misspelt. 130: Ctrl-C. If the reader of the output closes it, as head does, SIGPIPE ends the program.
        """,
    options: browseOptions + EncryptedOperand.options + BrowseOnScreen.options
) { options in
    try BrowseOnScreen.check(options)
    if let space = options["space"] {
        return try browseSpace(space, address: options.file(), options)
    }
    let path = try options.file()
    if ["postgres://", "postgresql://"].contains(where: path.hasPrefix) {
        throw UsageError("That is the address of a server. Which space of it? Name it with --space.")
    }
    return try namingRepair(of: path) {
        if BrowseOnScreen.isWanted(options) { return try BrowseOnScreen.run(options, path: path) }
        let request = try BrowseRequest(options)
        exitOnInterrupt()
        try EncryptedOperand.unlock(path, options)
        return try printFile(path, request)
    }
}

func printFile(_ path: String, _ request: BrowseRequest) throws -> Int32 {
    let file = try BrowsedFile(path: path)
    for note in file.notes { printError(note) }
    return try StandardOutput.whole { try request.print(file, to: $0) }
}

private let browseOptions = [
    Option(
        name: "list", help: "Lists everything in the file, with counts; the default."),
    Option(name: "collection", argument: "NAME", help: "The rows of a collection."),
    Option(name: "view", argument: "NAME", help: "The rows of a view, group by group."),
    Option(name: "group", argument: "NAME", help: "Only this group of the view."),
    Option(name: "index", argument: "NAME", help: "The rows of a secondary index."),
    Option(name: "full-text", argument: "NAME", help: "The rows of a full-text index."),
    Option(
        name: "match", argument: "QUERY", help: "Only matching rows of the full-text index, as in SQLite's MATCH."),
    Option(name: "relationship", argument: "NAME", help: "The edges of a relationship."),
    Option(name: "r-tree", argument: "NAME", help: "The rows of an R-tree, with their boxes."),
    Option(
        name: "table", argument: "NAME", help: "The rows of any other table of the file, also one of another program."),
    Option(name: "yap2", help: "The file's own small values."),
    Option(name: "by", argument: "ORDER", help: "key (the default) or rowid for a collection; a column for an index."),
    Option(name: "first", argument: "N", help: "Only the first N rows of each group."),
    Option(name: "last", argument: "N", help: "Only the last N rows of each group."),
    Option(name: "reversed", help: "These rows from the last to the first."),
    Option(
        name: "where", argument: "EXPRESSION",
        insteadOfTwice: "Join the conditions: --where \"price > 20 AND genre = 'sci-fi'\".",
        help: "Only rows for which an expression of SQLite over their fields is true: price > 20 AND genre = 'sci-fi'."),
    Option(
        name: "sort", argument: "EXPRESSION",
        help: "Ordered by an expression, or a field; DESC after it: the largest first."),
    Option(name: "count-by", argument: "EXPRESSION", help: "How many rows have each value, the most frequent first."),
    Option(
        name: "columns", argument: "LIST",
        help: "Only these fields or expressions, separated by commas: title,price,author.name with --csv is a table."),
    Option(name: "key", argument: "COLLECTION/KEY", help: "One row; /KEY for the collection without a name."),
    Option(name: "raw", help: "With --key: the bytes of the object as they are stored."),
    Option(
        name: "search", argument: "TEXT",
        help:
            "The rows whose key or decoded content contains the text. Case is ignored unless the text has a capital."),
    Option(name: "keys-only", help: "Searches only keys, millions a second."),
    Option(name: "space", argument: "NAME", help: "Shows this space of the server whose address is given."),
    Option(
        name: "follow",
        help: "Prints each change of the list, or of the row of --key, as it is committed, a JSON object a line."),
    Option(name: "json", help: "Prints a JSON object a line."),
    Option(name: "csv", help: "Prints comma-separated values according to RFC 4180."),
    Option(name: "plain", help: "Prints columns of text with visible control characters."),
    Option(name: "markdown", help: "Prints a table of Markdown."),
]
