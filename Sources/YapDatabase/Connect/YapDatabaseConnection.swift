public final class YapDatabaseConnection {}
