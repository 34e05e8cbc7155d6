// Every test of this target shows a database's rows in a table.
@_exported import Foundation
@_exported import LiveTable
@_exported import TestSupport
@_exported import Testing
