let help = """
    Usage: yap-bench [--json] [NAME …]

    Measures how fast the library is, and compares with raw SQLite where that can do the same. Without a NAME all cases
    are measured, which takes some minutes. A case that is run at several sizes is NAME/SIZE; the bare NAME runs all.

      yap-bench changeset_k
      yap-bench --json insert commit_one/full

    Options:
      --json      One JSON object a case, on a line of its own: name, n (rows there are), k (rows that are changed or
                  read), value, unit, reference, ratio (value / reference; both null where nothing is compared).
      --list      Shows the names of the cases.
      -h, --help  Shows this text.

    The cases `wal` write for 60 seconds, `browse_follow_log` for 15; SECONDS=5 in the environment makes that 5. Those of `company`,
    with several processes each, run only if they are named.

    Times are medians. The reference is measured in turn with the case, so that a busy machine slows down both. Pure
    computations and frames are measured in processor time of their thread, what waits for the disk or for another
    thread by the clock. The exit code is 0 also where a target is missed.

    """
