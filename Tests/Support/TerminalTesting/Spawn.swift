import CSpawn
import Foundation

/// Starts a program, by path or by name, with files for its input, output and messages, and with no signal blocked or
/// ignored (as SIGQUIT is in the background of a shell). It inherits no other descriptor: otherwise a process that
/// waits for the end of a pipe would also wait for the end of this program.
func spawn(
    _ command: [String], environment: [String: String], input: String, output: String, asSessionLeader: Bool = false
) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK and POSIX_SPAWN_SETSID; Swift's Glibc module lacks the last.
    posix_spawnattr_setflags(&attributes, 0x04 | 0x08 | (asSessionLeader ? 0x80 : 0))
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_RDWR | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &variables)
    guard error == 0 else {
        throw PseudoTerminal.Failure("\(command[0]) does not start: \(String(cString: strerror(error)))")
    }
    return process
}
