import PostgreSQLBridge

extension PostgreSQLError {
    /// Whether the server refuses these rows, and would refuse them at any time: they are not values for it, a rule, a constraint or a trigger
    /// forbids them, or the role may not write in their collection. Other refusals say nothing about the rows.
    var refusesRows: Bool {
        guard let sqlState else { return false }
        // A role that may not call a function or use a table has the same SQLSTATE as one that `yap.push` refuses.
        if sqlState == SQLState.noRight { return isOfCollection }
        return sqlState == YapDatabaseServerRule.refusal || SQLState.refusedRows.contains(sqlState)
            || sqlState.hasPrefix(SQLState.badData)
    }

    /// Whether the role may not write in a collection of these rows, whatever they are.
    var isOfCollection: Bool { sqlState == SQLState.noRight && message.contains(SchemaStep.noRightInCollection) }
}
