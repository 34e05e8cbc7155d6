// A program that shows a live table needs the database, the table's values and the screen: one import brings all three.
@_exported import ListChanges
@_exported import ScreenPrograms
@_exported import TableModel
@_exported import TerminalCells
@_exported import TerminalScreen
@_exported import YapDatabase
