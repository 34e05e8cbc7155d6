// Errors, problems of a file and its check report are the engine's, change-sets and paths those of the lists: a program that imports
// the library needs no second import for them.
@_exported import FileEngine
@_exported import ListChanges
