import ListChanges

public class YapDatabaseReadTransaction {
    func object(forRowid rowid: Int64, key: RowKey) throws -> Any { fatalError("to come") }
    func metadata(forRowid rowid: Int64, key: RowKey) throws -> Any? { fatalError("to come") }
}
