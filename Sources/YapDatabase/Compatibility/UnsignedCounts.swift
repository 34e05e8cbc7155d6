// The original counts with `UInt`. Chosen only where the context demands it: `let sections: UInt = mappings.numberOfSections()`.

extension YapDatabaseViewTransaction {
    /// The original's form of `numberOfGroups()`.
    @_disfavoredOverload public func numberOfGroups() -> UInt { UInt(numberOfGroups() as Int) }

    /// The original's form of `numberOfItems(inGroup:)`.
    @_disfavoredOverload public func numberOfItems(inGroup group: String) -> UInt {
        UInt(numberOfItems(inGroup: group) as Int)
    }

    /// The original's form of `numberOfItemsInAllGroups()`.
    @_disfavoredOverload public func numberOfItemsInAllGroups() -> UInt { UInt(numberOfItemsInAllGroups() as Int) }

    /// The original's form of `object(at:inGroup:)`.
    /// - Throws: as that.
    public func object(at index: UInt, inGroup group: String) throws -> Any? {
        try object(at: Int(index), inGroup: group)
    }
}

extension YapDatabaseViewMappings {
    /// The original's form of `numberOfSections()`.
    @_disfavoredOverload public func numberOfSections() -> UInt { UInt(numberOfSections() as Int) }

    /// The original's form of `numberOfItems(inSection:)`.
    public func numberOfItems(inSection section: UInt) -> UInt { UInt(numberOfItems(inSection: Int(section)) as Int) }

    /// The original's form of `numberOfItems(inGroup:)`.
    @_disfavoredOverload public func numberOfItems(inGroup group: String) -> UInt {
        UInt(numberOfItems(inGroup: group) as Int)
    }

    /// The original's form of `numberOfItemsInAllGroups()`.
    @_disfavoredOverload public func numberOfItemsInAllGroups() -> UInt { UInt(numberOfItemsInAllGroups() as Int) }
}
