// Runs a command as a container without privileges does: without the capabilities that Docker takes away, without a
// /dev/shm that can be written, and under a filter that refuses the system calls that Docker's default profile refuses.
//
// usage: confined COMMAND [ARGUMENT...]

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Numbers that old headers lack.
enum { MEMPOLICY_HOME_NODE = 450, CLONE3 = 435 };

static const int REFUSED[] = {
    SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_settime, SYS_delete_module, SYS_fanotify_init, SYS_finit_module,
    SYS_get_mempolicy, SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_ioperm,
    SYS_iopl, SYS_kcmp, SYS_kexec_file_load, SYS_kexec_load, SYS_keyctl, SYS_lookup_dcookie, SYS_mbind,
    SYS_migrate_pages, SYS_mount, SYS_move_mount, SYS_move_pages, SYS_open_by_handle_at, SYS_open_tree,
    SYS_perf_event_open, SYS_pidfd_getfd, SYS_pivot_root, SYS_process_madvise, SYS_quotactl, SYS_reboot,
    SYS_request_key, SYS_set_mempolicy, SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_settimeofday, SYS_swapoff,
    SYS_swapon, SYS_syslog, SYS_umount2, SYS_unshare, SYS_userfaultfd, SYS_vhangup, MEMPOLICY_HOME_NODE,
};

// The capabilities that Docker leaves: CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP,
// NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE and SETFCAP.
static const unsigned char KEPT[] = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31};

static void must(int result, const char *what) {
    if (result < 0) {
        fprintf(stderr, "this system confines no command: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static void write_to(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    must(file, path);
    must((int)write(file, text, strlen(text)), path);
    close(file);
}

// A namespace of mounts of its own, in which /dev/shm is empty and cannot be written.
static void hide_shared_memory(void) {
    if (geteuid() == 0) {
        must(unshare(CLONE_NEWNS), "unshare");
    } else {
        char line[64];
        unsigned user = geteuid(), group = getegid();
        must(unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare");
        write_to("/proc/self/setgroups", "deny");
        snprintf(line, sizeof line, "%u %u 1", user, user);
        write_to("/proc/self/uid_map", line);
        snprintf(line, sizeof line, "%u %u 1", group, group);
        write_to("/proc/self/gid_map", line);
    }
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount");
    must(mount("none", "/dev/shm", "tmpfs", MS_RDONLY, NULL), "/dev/shm");
}

static void drop_capabilities(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++) {
        if (memchr(KEPT, capability, sizeof KEPT) == NULL) must(prctl(PR_CAPBSET_DROP, capability), "PR_CAPBSET_DROP");
    }
}

static void refuse_system_calls(void) {
    enum { COUNT = sizeof REFUSED / sizeof *REFUSED };
    // Flags of clone that make namespaces.
    const unsigned namespaces = 0x7e020000;
    struct sock_filter program[COUNT + 16];
    size_t length = 0;
#define PUT(...) program[length++] = (struct sock_filter)__VA_ARGS__
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE3, 0, 1));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    for (int at = 0; at < COUNT; at++) {
        // Jumps to the refusal, which stands behind the rest of the list and the three instructions about clone.
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)REFUSED[at], COUNT - at - 1 + 4, 0));
    }
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2));
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 1, 0));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    struct sock_fprog filter = {.len = (unsigned short)length, .filter = program};
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
    must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), "PR_SET_SECCOMP");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: confined COMMAND [ARGUMENT...]\n");
        return 2;
    }
    hide_shared_memory();
    drop_capabilities();
    refuse_system_calls();
    execvp(argv[1], argv + 1);
    fprintf(stderr, "confined: %s: %s\n", argv[1], strerror(errno));
    return 127;
}
