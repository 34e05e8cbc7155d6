// A program on a screen needs the table's values and the screen: one import brings them.
@_exported import ListChanges
@_exported import TableModel
@_exported import TerminalCells
@_exported import TerminalScreen
