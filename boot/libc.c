/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What newlib asks of a system: a heap, a console, and refusals. Its x86_64-elf
 * flavour calls write(), the aarch64-elf one _write(): both names are given.
 */
#include "boot/libc.h"
#include "boot/console.h"
#include "boot/efi.h"
#include "boot/main.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#undef errno
extern int errno;

/* Fixed: what is big (memmaps) is taken from the firmware by page, not from here. */
#define HEAP_BYTES (32u << 20)
#define EFI_PAGE   4096u

static char *heap, *heap_end;

bool libc_init(void)
{
	/* A buffer of its own: text gets out when there is no memory. */
	static char buffer[BUFSIZ];
	EFI_PHYSICAL_ADDRESS base = 0;

	if (efi_bs->AllocatePages(AllocateAnyPages, EfiLoaderData, HEAP_BYTES / EFI_PAGE, &base) !=
	    EFI_SUCCESS) {
		console_puts("pagestamp: FAIL the firmware has no 32 MiB of memory\n");
		return false;
	}
	heap = (char *)(uintptr_t)base;
	heap_end = heap + HEAP_BYTES;
	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	return true;
}

void libc_fini(void)
{
	fflush(stdout);
	if (efi_bs->FreePages((EFI_PHYSICAL_ADDRESS)(uintptr_t)(heap_end - HEAP_BYTES),
	                      HEAP_BYTES / EFI_PAGE) != EFI_SUCCESS)
		console_puts("note: the firmware's FreePages failed: the heap stays\n");
}

#define ALSO_AS(name) __attribute__((alias(name)))

void *sbrk(ptrdiff_t increment);
void *sbrk(ptrdiff_t increment)
{
	char *old = heap;

	if (increment > heap_end - heap) {
		errno = ENOMEM;
		return (void *)-1;
	}
	heap += increment;
	return old;
}
void *_sbrk(ptrdiff_t) ALSO_AS("sbrk");

ssize_t write(int fd, const void *text, size_t size);
ssize_t write(int fd, const void *text, size_t size)
{
	if (fd != 1 && fd != 2) {
		errno = EBADF;
		return -1;
	}
	console_write(text, size);
	return (ssize_t)size;
}
ssize_t _write(int, const void *, size_t) ALSO_AS("write");

ssize_t read(int fd, void *buffer, size_t size);
ssize_t read(int fd, void *buffer, size_t size)
{
	(void)fd;
	(void)buffer;
	(void)size;
	return 0;
}
ssize_t _read(int, void *, size_t) ALSO_AS("read");

int close(int fd);
int close(int fd)
{
	(void)fd;
	errno = EBADF;
	return -1;
}
int _close(int) ALSO_AS("close");

off_t lseek(int fd, off_t offset, int whence);
off_t lseek(int fd, off_t offset, int whence)
{
	(void)fd;
	(void)offset;
	(void)whence;
	errno = ESPIPE;
	return -1;
}
off_t _lseek(int, off_t, int) ALSO_AS("lseek");

int fstat(int fd, struct stat *out);
int fstat(int fd, struct stat *out)
{
	(void)fd;
	*out = (struct stat){.st_mode = S_IFCHR};
	return 0;
}
int _fstat(int, struct stat *) ALSO_AS("fstat");

int isatty(int fd);
int isatty(int fd)
{
	(void)fd;
	return 1;
}
int _isatty(int) ALSO_AS("isatty");

int getpid(void);
int getpid(void)
{
	return 1;
}
int _getpid(void) ALSO_AS("getpid");

/* abort() and a failed assert() end here. */
int kill(int pid, int sig);
int kill(int pid, int sig)
{
	(void)pid;
	(void)sig;
	boot_fail("aborted");
}
int _kill(int, int) ALSO_AS("kill");

void _exit(int status);
void _exit(int status)
{
	(void)status;
	boot_fail("exit() was called");
}

/* newlib's own one would bring a second printf along. */
void __assert_func(const char *file, int line, const char *function, const char *what);
void __assert_func(const char *file, int line, const char *function, const char *what)
{
	static char why[200];

	/* newlib's printf asserts that it got the memory for a floating-point number. */
	if (strstr(what, "alloc succeeded"))
		boot_fail("no memory to print a number");
	snprintf(why, sizeof(why), "assertion \"%s\" in %s, %s:%d", what, function ? function : "?",
	         file, line);
	boot_fail(why);
}
