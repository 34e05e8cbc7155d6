import Foundation

/// Puts something at the numbers of the standard descriptors that are closed: otherwise the next file that is opened gets the number, and
/// what is meant for the output is written into it. Reading or writing them is still an error.
func reserveStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
        // The lowest free number is taken, so it is this one.
        _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
}

/// Raises the number of files that the process may open as far as it may by itself, up to what it needs at most.
func allowDescriptors() {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < 1_024 else { return }
    limit.rlim_cur = min(limit.rlim_max, 1_024)
    _ = setrlimit(kind, &limit)
}
