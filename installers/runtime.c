/* What an AppImage of Tarok Table begins with: it unpacks the file system behind it once, and runs what lies there.
 *
 * The file is an AppImage of type 2 (an ELF program, then a squashfs). The usual runtime mounts it by FUSE, which many
 * systems do not have; this one needs nothing of the system. It unpacks into ~/.cache/tarok-table/RELEASE, as long as
 * no such folder is there, and then deletes older ones that no program uses. Linked statically.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <squashfuse/squashfuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef RELEASE
#define RELEASE "0"
#endif

static void fail(const char *what) {
    fprintf(stderr, "tarok: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* Where the file system begins: behind the last part of the ELF file. */
static size_t elf_size(const char *path) {
    Elf64_Ehdr head;
    FILE *file = fopen(path, "rb");
    if (!file || fread(&head, sizeof head, 1, file) != 1) fail(path);
    fclose(file);
    return head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
}

static void write_file(sqfs *fs, sqfs_inode *inode, const char *to) {
    static char buffer[1 << 20];
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL, inode->base.mode & 0755);
    if (out < 0) fail(to);
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t got = sizeof buffer;
        errno = EIO;
        if (sqfs_read_range(fs, inode, at, &got, buffer) != SQFS_OK || got <= 0) fail("the file is damaged");
        if (write(out, buffer, got) != got) fail(to);
        at += got;
    }
    if (close(out)) fail(to);
}

/* A lock on the folder, kept by this program until it ends; -1 where another one has it. */
static int locked(const char *folder, int how) {
    int file = open(folder, O_RDONLY | O_DIRECTORY);
    if (file >= 0 && flock(file, how | LOCK_NB)) close(file), file = -1;
    return file;
}

/* Unpacks the file system at `offset` of `path` into the folder `into`, which is made. */
static void unpack(const char *path, size_t offset, const char *into) {
    sqfs fs;
    sqfs_inode root;
    sqfs_traverse walk;
    sqfs_err err = SQFS_OK;
    int file = open(path, O_RDONLY);
    errno = EIO;
    if (file < 0 || sqfs_init(&fs, file, offset) != SQFS_OK || sqfs_inode_get(&fs, &root, sqfs_inode_root(&fs)) != SQFS_OK
        || sqfs_traverse_open_inode(&walk, &fs, &root) != SQFS_OK)
        fail("the file is damaged");
    if (mkdir(into, 0700)) fail(into);
    locked(into, LOCK_SH); /* nobody deletes it meanwhile */
    while (sqfs_traverse_next(&walk, &err)) {
        char to[PATH_MAX], link[PATH_MAX];
        size_t size = sizeof link;
        sqfs_inode inode;
        if (walk.dir_end) continue;
        if (snprintf(to, sizeof to, "%s/%s", into, walk.path) >= (int)sizeof to) fail("the folder's name is too long");
        errno = EIO;
        if (sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&walk.entry)) != SQFS_OK) fail("the file is damaged");
        if (S_ISDIR(inode.base.mode)) {
            if (mkdir(to, 0755)) fail(to);
        } else if (S_ISLNK(inode.base.mode)) {
            if (sqfs_readlink(&fs, &inode, link, &size) != SQFS_OK || symlink(link, to)) fail(to);
        } else {
            write_file(&fs, &inode, to);
        }
    }
    errno = EIO;
    if (err != SQFS_OK) fail("the file is damaged");
    sqfs_traverse_close(&walk);
    close(file);
}

static int delete_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
    (void)s, (void)kind, (void)where;
    return remove(path);
}

static void delete_folder(const char *path) { nftw(path, delete_one, 16, FTW_DEPTH | FTW_PHYS); }

/* Deletes the folders beside `kept` that no running program uses. */
static void delete_older(const char *base, const char *kept) {
    DIR *folder = opendir(base);
    if (!folder) return;
    for (struct dirent *one; (one = readdir(folder));) {
        char path[PATH_MAX];
        if (one->d_name[0] == '.' || !strcmp(one->d_name, kept)) continue;
        if (snprintf(path, sizeof path, "%s/%s", base, one->d_name) >= (int)sizeof path) continue;
        int lock = locked(path, LOCK_EX);
        if (lock >= 0) delete_folder(path), close(lock);
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    char self[PATH_MAX] = "", base[PATH_MAX - 128], place[PATH_MAX - 64], fresh[PATH_MAX], run[PATH_MAX], here[PATH_MAX];
    if (!realpath("/proc/self/exe", self)) fail("/proc/self/exe");
    size_t offset = elf_size(self);
    if (argc > 1 && !strcmp(argv[1], "--appimage-offset")) return printf("%zu\n", offset) < 0;
    if (argc > 1 && !strcmp(argv[1], "--appimage-extract")) return unpack(self, offset, "squashfs-root"), 0;

    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/') snprintf(base, sizeof base, "%s", cache);
    else if (home && *home == '/') snprintf(base, sizeof base, "%s/.cache", home);
    else return fputs("tarok: HOME says no folder to unpack to\n", stderr), 2;
    mkdir(base, 0700);
    strncat(base, "/tarok-table", sizeof base - strlen(base) - 1);
    mkdir(base, 0700);
    snprintf(place, sizeof place, "%s/%s", base, RELEASE);
    if (access(place, F_OK)) {
        snprintf(fresh, sizeof fresh, "%s.%d", place, (int)getpid());
        delete_folder(fresh);
        unpack(self, offset, fresh);
        if (rename(fresh, place)) delete_folder(fresh); /* another one that was started at the same time was faster */
        delete_older(base, RELEASE);
    }
    locked(place, LOCK_SH);
    snprintf(run, sizeof run, "%s/AppRun", place);
    setenv("APPIMAGE", self, 1);
    setenv("APPDIR", place, 1);
    setenv("ARGV0", argv[0], 1);
    if (getcwd(here, sizeof here)) setenv("OWD", here, 1);
    execv(run, argv);
    fail(run);
}
