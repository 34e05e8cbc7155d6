#ifndef YAP_FAULTY_VFS_H
#define YAP_FAULTY_VFS_H

// SQLite's file access (VFS), in which single calls can be made to fail.

enum faulty_call {
    FAULTY_READ,
    FAULTY_WRITE,
    FAULTY_FULL,
    FAULTY_SYNC,
    FAULTY_TRUNCATE,
    FAULTY_SIZE,
    FAULTY_LOCK,
    FAULTY_SHM_MAP,
    FAULTY_SHM_LOCK,
    FAULTY_OPEN,
    FAULTY_DELETE,
    FAULTY_ACCESS,
    // Any call that changes a file or the shared index, before which the process is killed.
    FAULTY_KILL,
    FAULTY_KINDS
};

// Makes this file access the default for every connection opened from now on. Returns an SQLite result code.
int faulty_vfs_install(void);
// Makes call number `number` of that kind from now on, counted over all threads, and the `times - 1` after it fail.
void faulty_vfs_arm(int kind, int number, int times);
// Ends the failures. Returns how many calls failed since faulty_vfs_arm.
int faulty_vfs_disarm(void);

#endif
