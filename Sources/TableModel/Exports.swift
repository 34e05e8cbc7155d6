// A table draws cells and answers keys: who imports it needs no second import for them.
@_exported import TerminalCells
