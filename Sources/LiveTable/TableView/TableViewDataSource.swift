import Foundation
import TableModel

/// Says what a ``TableView`` shows.
@MainActor public protocol TableViewDataSource: AnyObject {
    /// Returns the number of sections: 1 unless it is implemented.
    func numberOfSections(in tableView: TableView) -> Int
    /// Returns the number of rows of a section.
    /// - Parameters:
    ///   - tableView: the table that asks.
    ///   - section: the section, counted from 0.
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int
    /// Returns the lines of a row. If it throws, the row shows the text of the error.
    /// - Parameters:
    ///   - tableView: the table that asks.
    ///   - indexPath: the position of the row.
    /// - Throws: any error, whose text the row then shows.
    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) throws -> RowCell
    /// Returns the header of a section: nil, that is none, unless it is implemented.
    /// - Parameters:
    ///   - tableView: the table that asks.
    ///   - section: the section, counted from 0.
    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String?
}

extension TableViewDataSource {
    /// One section.
    public func numberOfSections(in tableView: TableView) -> Int { 1 }
    /// No header.
    /// - Parameters:
    ///   - tableView: the table that asks.
    ///   - section: the section, counted from 0.
    public func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? { nil }
}
