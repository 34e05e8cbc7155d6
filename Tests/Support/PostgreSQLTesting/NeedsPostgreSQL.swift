import Testing

extension Trait where Self == ConditionTrait {
    public static var needsPostgreSQL: Self {
        .enabled(if: PostgreSQLPrograms.installed != nil, Comment(rawValue: PostgreSQLPrograms.skipMessage))
    }
}
