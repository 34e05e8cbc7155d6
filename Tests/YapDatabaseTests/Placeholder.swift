// The database's tests come with its first complete path.
