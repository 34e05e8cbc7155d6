import Foundation

/// Returns the seconds of processor time that a process has used, with those of its children that have ended.
func processorSeconds(of process: pid_t) -> Double? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 + secondsOfChildren(of: process)
}

/// `cutime` and `cstime` of `/proc/N/stat`, in ticks of 10 ms.
private func secondsOfChildren(of process: pid_t) -> Double {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
    else { return 0 }
    let fields = stat[end...].split(separator: " ")
    guard fields.count > 15, let user = Double(fields[14]), let system = Double(fields[15]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
