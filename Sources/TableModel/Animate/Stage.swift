import ListChanges

/// The two states of one change-set's animation: the items before and after.
struct Stage {
    let after: [Item]
    let height: Int
    let time: Double
    var reduced = false
    /// Whether new rows are readable from the first frame on.
    var newAtOnce = false
    let map: PathMap
    let schedule: Schedule
    /// The items on the screen that belonged to the list before the change-set, at their places then.
    let live: [Item]
    let ghosts: [Item]
    /// Indexes in `live`: rows by key, headers by their section afterwards.
    private(set) var rows: [RowKey: Int] = [:]
    private(set) var headers: [Int: Int] = [:]
    let leavingRows: VisibleChanges
    let arrivingRows: VisibleChanges
    /// The first item on the screen. Everything before it enters from above.
    let firstPlace: Place?

    init(
        _ before: [Item], _ leaving: [Item], _ changes: ChangeSet, _ map: PathMap, after: [Item], height: Int,
        time: Double
    ) {
        self.after = after
        self.height = height
        self.time = time
        self.map = map
        live = before + leaving.filter { !$0.isGhost }
        ghosts = leaving.filter { $0.isGhost && $0.alpha(at: time) > 0 }
        leavingRows = VisibleChanges(changes, leaving: live.compactMap(\.place.path))
        arrivingRows = VisibleChanges(changes, arriving: after.compactMap(\.place.path))
        firstPlace = before.first?.place
        for (index, item) in live.enumerated() {
            if let key = item.key {
                rows[key] = index
            } else if let section = map.sections.after(item.place.section) {
                headers[section] = index
            }
        }
        schedule = Schedule(
            Self.parts(leavingRows, arrivingRows, map, live: live, after: after), at: time,
            inPassing: (before + leaving).contains { $0.motion.map { $0.moveEnd > time } ?? false })
    }

    private static func parts(
        _ leaving: VisibleChanges, _ arriving: VisibleChanges, _ map: PathMap, live: [Item], after: [Item]
    ) -> Schedule.Parts {
        var parts: Schedule.Parts = []
        for item in live {
            let change = item.place.path.flatMap { leaving.before[$0] }
            if change?.type == .move { parts.insert(.moves) }
            if change?.type == .delete || map.sections.after(item.place.section) == nil { parts.insert(.deletes) }
        }
        for item in after {
            let change = item.place.path.flatMap { arriving.after[$0] }
            if change?.type == .move { parts.insert(.moves) }
            if change?.type == .insert || map.sections.before(item.place.section) == nil { parts.insert(.inserts) }
        }
        return parts
    }
}
