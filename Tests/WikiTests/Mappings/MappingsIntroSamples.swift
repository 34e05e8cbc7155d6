// swift-format-ignore-file
// mappings.txt, "Intro to Mappings" to "Managing Mappings", as they stand there. docs/wiki-samples.md names what is changed.

@Suite struct MappingsIntroTests {
  @Test func aRowIsFoundByItsCollectionAndKey() throws {
    try withBondDatabase { database, dbConnection in
      try dbConnection.read {(transaction) in

// Then it matches your mental model of how lookups essentially work:
let goldfinger = try transaction.object(forKey: "abc123", inCollection: "movies") as? Movie

        #expect(goldfinger?.title == "Goldfinger")
      }
    }
  }

  @Test func aViewIsADictionaryOfArrays() throws {
    try withBondDatabase { database, dbConnection in
      // If you imagine the View like this Dictionary of Arrays:
      let imagined: [String: [(String, String)]] =
[
  "bond movies": [ // (sorting chronologically)
                   ("movies", "abc123"), // => <Movie:Goldfinger> 
                   ("movies", "xyz123")  // => <Movie:GoldenEye>
                 ],
  "80s movies" : [ // (sorting chronologically)
                   ("movies", "def456")  // => <Movie:Pretty In Pink>
                 ],  
  "bond actors": [ // (sorting alphabetically)
                   ("actors", "xyz789"), // => <Actor:Daniel Craig> 
                   ("actors", "abc123"), // => <Actor:Pierce Brosnan>
                   ("actors", "klm456")  // => <Actor:Sean Connery>
                 ]   
]
      try dbConnection.read {(transaction) in
        let view = transaction.ext("myView") as? YapDatabaseViewTransaction
        #expect(try view?.dictionary() == imagined.comparable)

// This should match your mental model of how lookups in a view work:
if let viewTransaction = transaction.ext("myView") as? YapDatabaseViewTransaction {
  let goldfinger = try viewTransaction.object(atIndex:0, inGroup:"bond movies") 
          #expect((goldfinger as? Movie)?.title == "Goldfinger")
}
      }
    }
  }

  @Test func mappingsChooseGroupsAndReverseThem() throws {
    try withBondDatabase { database, dbConnection in

let groups = [ "bond movies", "bond actors" ]
let mappings = YapDatabaseViewMappings(groups: groups, view: "myView")

      try dbConnection.read { try mappings.update(with: $0) }
      #expect(mappings.visibleGroups() == ["bond movies", "bond actors"])
      #expect(mappings.numberOfItems(inSection: 0) == 2 && mappings.numberOfItems(inSection: 1) == 3)

mappings.setIsReversed(true, forGroup: "bond movies") // Boom

      try dbConnection.read {(transaction) in

if let viewTransaction = transaction.ext("myView") as? YapDatabaseViewTransaction {
  
  // Our mappings is configured to reverse this section.
  // So we're going to get goldeneye (not goldfinger)
  let goldeneye = try viewTransaction.object(atRow:0, inSection:0, withMappings:mappings) as? Movie
  // 
  // Basically, the mappings layer automatically transformed the above method call into:
  // viewTransaction.object(atIndex:1, inGroup:"bond movies")
          #expect(goldeneye?.title == "GoldenEye")
          #expect(try viewTransaction.object(atIndex:1, inGroup:"bond movies") as? Movie == goldeneye)
}
      }
    }
  }

  @Test func aStaticListOfGroupsShowsThem() throws {
    try withBondDatabase { database, dbConnection in

let groups = ["bond movies", "bond actors"]
let mappings = YapDatabaseViewMappings(groups:groups, view:"myView")

      try dbConnection.read { try mappings.update(with: $0) }
      let (sections, rows): (UInt, UInt) = (mappings.numberOfSections(), mappings.numberOfItems(inSection: 1))
      #expect(sections == 2 && rows == 3)
      #expect(mappings.numberOfItems(inGroup: "bond actors") as UInt == 3)
      #expect(mappings.numberOfItemsInAllGroups() as UInt == 5)
    }
  }

  @Test func aDynamicListOfGroupsFollowsTheView() throws {
    try withBondDatabase { database, dbConnection in

let filtering: YapDatabaseViewMappingGroupFilter = {(group, transaction) in
  return true // group == departmentName; Include all departments.
}
let sorting: YapDatabaseViewMappingGroupSort = {(group1, group2, transaction) in
  return group1.compare(group2) // sorted by department name
}

let mappings = YapDatabaseViewMappings(groupFilterBlock: filtering, sortBlock: sorting, view: "myView")

      try dbConnection.read { try mappings.update(with: $0) }
      #expect(mappings.visibleGroups() == ["80s movies", "bond actors", "bond movies"])
      try dbConnection.readWrite {(transaction) in
        let alien = Movie(title: "Alien", year: 1979, groups: ["aliens"])
        try transaction.setObject(alien, forKey: "alien", inCollection: "movies")
      }
      try dbConnection.read { try mappings.update(with: $0) }
      #expect(mappings.visibleGroups() == ["80s movies", "aliens", "bond actors", "bond movies"])
      let department = YapDatabaseViewMappings(
        groupFilterBlock: { group, _ in group.hasPrefix("bond") }, sortBlock: sorting, view: "myView")
      try dbConnection.read { try department.update(with: $0) }
      #expect(department.visibleGroups() == ["bond actors", "bond movies"])
    }
  }

  @Test func aRowOnTheScreenIsFoundByItsPath() throws {
    try withBondDatabase { database, dbConnection in
      let mappings = YapDatabaseViewMappings(groups: ["bond movies", "bond actors"], view: "myView")
      try dbConnection.read {(transaction) in
        try mappings.update(with: transaction)
        let view = try #require(transaction.ext("myView") as? YapDatabaseViewTransaction)
        let obj = try view.object(at: IndexPath(row: 1, section: 0), with: mappings)
        #expect((obj as? Movie)?.title == "GoldenEye")
        #expect(try view.getCollectionKey(forRow: 0, section: 1, withMappings: mappings)! == ("actors", "xyz789"))
      }
    }
  }
}
