// A program that follows a server uses the library everywhere: it needs no second import.
@_exported import YapDatabase
