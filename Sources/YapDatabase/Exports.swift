// Errors, problems of a file and its check report are the engine's; who imports the library needs no second import for them.
@_exported import FileEngine
