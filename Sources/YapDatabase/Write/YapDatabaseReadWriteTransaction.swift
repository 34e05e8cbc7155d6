public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction {}
