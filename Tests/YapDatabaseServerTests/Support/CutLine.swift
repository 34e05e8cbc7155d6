import Foundation

@testable import YapDatabaseServer

/// A way to the server that can be cut.
final class CutLine {
    private let proxy: FaultyProxy
    private var failuresBefore = 0
    var address: String { proxy.address }

    init(_ scene: Scene) throws {
        let folder = scene.folder.appending(path: "l\(UUID().uuidString.prefix(4))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        proxy = try FaultyProxy(to: scene.server.socket, in: folder)
    }

    deinit { proxy.close() }

    func cut() throws { proxy.setCut(true) }
    func setSilent(_ isSilent: Bool) { proxy.setSilent(isSilent) }
    func join() throws { proxy.setCut(false) }
    func arm(_ fault: FaultyProxy.Fault, at index: Int) {
        failuresBefore = proxy.faults
        proxy.arm(fault, at: index)
    }
    func disarm() { proxy.disarm() }
    var hasFailed: Bool { proxy.faults > failuresBefore }
}
