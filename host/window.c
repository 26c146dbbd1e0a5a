/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The quiet window of a process: addresses reserved once, memory placed there by
 * mmap(). Backing that is mapped whole is anonymous memory on huge pages; backing
 * that is mapped piece by piece, or aliased, is a memory file of 4 KiB pages.
 * Interrupts cannot be turned off here: the process is pinned instead (main.c).
 */
#include "host/window.h"
#include <pagestamp/window.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Linux's default vm.max_map_count is 65,530; a little is needed elsewhere. */
#define MAX_MAPPINGS 65000

static const uint64_t space_size = 64ull << 30;
static char *space;
static unsigned mappings; /* since the last unmap of everything */
static enum host_pages pages = HOST_PAGES_UNUSED;

const char *window_page_name(void)
{
	switch (pages) {
	case HOST_PAGES_HUGETLB:
		return "2M (MAP_HUGETLB)";
	case HOST_PAGES_THP:
		return "2M (transparent)";
	default:
		return "4K";
	}
}

bool window_init(struct window_error *error)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *got = mmap(NULL, space_size + WINDOW_BLOCK, PROT_NONE, flags, -1, 0);

	if (got == MAP_FAILED) {
		snprintf(error->why, sizeof(error->why), "cannot reserve %llu GiB of addresses: %s",
		         (unsigned long long)space_size >> 30, strerror(errno));
		return false;
	}
	space = (char *)(((uintptr_t)got + WINDOW_BLOCK - 1) & ~(uintptr_t)(WINDOW_BLOCK - 1));
	return true;
}

void window_fini(void)
{
	munmap(space, space_size);
}

uintptr_t window_base(void)
{
	return (uintptr_t)space;
}

uint64_t window_mapping_limit(void)
{
	return MAX_MAPPINGS;
}

uint64_t window_size(void)
{
	return space_size;
}

/* ---- backing --------------------------------------------------------------------- */

bool backing_alloc(uint64_t bytes, enum backing_use use, struct backing *out, uint64_t *available)
{
	const uint64_t size = (bytes + WINDOW_BLOCK - 1) & ~(WINDOW_BLOCK - 1);
	const uint64_t free = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	int file = -1;

	*out = (struct backing){0};
	*available = free;
	if (size > free)
		return false;
	if (use == BACKING_PIECES) {
		file = memfd_create("pagestamp", MFD_CLOEXEC);
		if (file < 0 || ftruncate(file, (off_t)size)) {
			if (file >= 0)
				close(file);
			*available = 0;
			return false;
		}
	}
	out->extent = malloc(sizeof(*out->extent));
	if (!out->extent) {
		if (file >= 0)
			close(file);
		return false;
	}
	/* A process has no physical addresses: the file's descriptor stands for the memory. */
	out->extent[0] = (struct backing_extent){.phys = (uint64_t)(int64_t)file, .size = size};
	out->nr = 1;
	out->size = size;
	out->fresh = true;
	return true;
}

void backing_free(struct backing *backing)
{
	if (backing->nr && (int64_t)backing->extent[0].phys >= 0)
		close((int)backing->extent[0].phys);
	free(backing->extent);
	*backing = (struct backing){0};
}

bool backing_set_aside(uint64_t base, uint64_t size)
{
	(void)base, (void)size; /* a process's huge pages are addresses alone */
	return true;
}

/* ---- mappings -------------------------------------------------------------------- */

static bool inside(uintptr_t va, uint64_t size)
{
	return va >= (uintptr_t)space && size <= space_size &&
	       va - (uintptr_t)space <= space_size - size;
}

static bool map_anonymous(void *at, uint64_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	const int prot = PROT_READ | PROT_WRITE;

	if (!(size % WINDOW_BLOCK) && !((uintptr_t)at % WINDOW_BLOCK) &&
	    mmap(at, size, prot, flags | MAP_HUGETLB, -1, 0) != MAP_FAILED) {
		pages = HOST_PAGES_HUGETLB;
		return true;
	}
	if (mmap(at, size, prot, flags | MAP_NORESERVE, -1, 0) == MAP_FAILED)
		return false;
	if (pages != HOST_PAGES_HUGETLB)
		pages = madvise(at, size, MADV_HUGEPAGE) ? HOST_PAGES_SMALL : HOST_PAGES_THP;
	else
		madvise(at, size, MADV_HUGEPAGE);
	return true;
}

/* The piece of a file that was mapped last: an alias is of a page in it. */
static struct {
	uintptr_t va;
	uint64_t size;
	int file;
	uint64_t offset;
} piece;

static bool map_file(uintptr_t va, int file, uint64_t offset, uint64_t size, int prot)
{
	if (mappings >= MAX_MAPPINGS)
		return false;
	mappings++;
	return mmap((void *)va, size, prot, MAP_SHARED | MAP_FIXED, file, (off_t)offset) !=
	       MAP_FAILED;
}

bool window_map_backing(uintptr_t va, const struct backing *backing, uint64_t offset, uint64_t size)
{
	int64_t file = (int64_t)backing->extent[0].phys;

	if (!inside(va, size) || offset > backing->size || size > backing->size - offset)
		return false;
	if (file < 0)
		return map_anonymous((void *)va, size);
	piece.va = va;
	piece.size = size;
	piece.file = (int)file;
	piece.offset = offset;
	return map_file(va, piece.file, offset, size, PROT_READ | PROT_WRITE);
}

bool window_map_device(uintptr_t va, const struct consented *device, uint64_t offset, uint64_t size)
{
	(void)va, (void)device, (void)offset, (void)size;
	return false; /* no process is given physical memory */
}

bool window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                         uint64_t size)
{
	(void)va, (void)range, (void)offset, (void)size;
	return false;
}

bool window_alias(uintptr_t va, uintptr_t target, uint64_t size)
{
	const uint64_t offset = piece.offset + (target - piece.va);

	if (!inside(va, size) || target < piece.va || target - piece.va >= piece.size)
		return false;
	for (uint64_t done = 0; done < size; done += WINDOW_PAGE)
		if (!map_file(va + done, piece.file, offset, WINDOW_PAGE, PROT_READ))
			return false;
	return true;
}

bool window_map_table(uintptr_t va, const struct backing *backing, uint64_t offset,
                      uint64_t *attributes)
{
	(void)va, (void)backing, (void)offset, (void)attributes;
	return false;
}

void window_unmap_table(uintptr_t va)
{
	(void)va;
}

const char *window_table_refused(void)
{
	return "no process may install page tables";
}

void window_unmap(uintptr_t va, uint64_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;

	/* Reserved again, not given back: nobody else's mapping may come to stand there. */
	if (mmap((void *)va, size, PROT_NONE, flags, -1, 0) == MAP_FAILED) {
		perror("pagestamp: munmap");
		abort();
	}
	mappings = 0;
}

/* ---- running --------------------------------------------------------------------- */

static sigjmp_buf abandoned;
static struct window_fault *current_fault;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	snprintf(current_fault->what, sizeof(current_fault->what), "%s",
	         number == SIGSEGV ? "segmentation fault" : "bus error");
	current_fault->address = (uint64_t)(uintptr_t)info->si_addr;
	siglongjmp(abandoned, 1);
}

bool window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	struct sigaction old_segv, old_bus;
	bool survived;

	*fault = (struct window_fault){0};
	current_fault = fault;
	sigaction(SIGSEGV, &action, &old_segv);
	sigaction(SIGBUS, &action, &old_bus);
	survived = !sigsetjmp(abandoned, 1);
	if (survived)
		fn(arg);
	sigaction(SIGSEGV, &old_segv, NULL);
	sigaction(SIGBUS, &old_bus, NULL);
	return survived;
}
