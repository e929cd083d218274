/* stat and its kin, which Rust's standard library calls. Before 2.33 each was an inline function over one of those here, whose first
   argument is the layout of the structure. Each is linked where it is wanted, and seen by nobody else. */

struct stat;

#define STAT(suffix) \
  extern __attribute__((visibility("default"))) int __xstat##suffix(int, const char *, struct stat *); \
  extern __attribute__((visibility("default"))) int __lxstat##suffix(int, const char *, struct stat *); \
  extern __attribute__((visibility("default"))) int __fxstat##suffix(int, int, struct stat *); \
  extern __attribute__((visibility("default"))) int __fxstatat##suffix(int, int, const char *, struct stat *, int); \
  int stat##suffix(const char *path, struct stat *found) { return __xstat##suffix(STAT_LAYOUT, path, found); } \
  int lstat##suffix(const char *path, struct stat *found) { return __lxstat##suffix(STAT_LAYOUT, path, found); } \
  int fstat##suffix(int file, struct stat *found) { return __fxstat##suffix(STAT_LAYOUT, file, found); } \
  int fstatat##suffix(int folder, const char *path, struct stat *found, int flags) { \
    return __fxstatat##suffix(STAT_LAYOUT, folder, path, found, flags); \
  }

STAT()
STAT(64)
