/* SPDX-License-Identifier: BSD-2-Clause */
#include "boot/table_pool.h"
#include "boot/efi.h"
#include "boot/memory.h"

#include <string.h>

#define PAGE        4096u
#define CHUNK_PAGES 64u

/* The first page of a chunk; the others are handed out. */
struct chunk {
	struct chunk *next;
};

/* A page that is free says so in itself. */
struct free_page {
	struct free_page *next;
};

static struct chunk *chunks;
static struct free_page *free_pages;

static void pool_free(void *context, uint64_t page)
{
	struct free_page *p = (struct free_page *)(uintptr_t)page;

	(void)context;
	p->next = free_pages;
	free_pages = p;
}

static bool pool_grow(void)
{
	EFI_PHYSICAL_ADDRESS base = 0;
	struct chunk *chunk;
	EFI_STATUS status =
		efi_bs->AllocatePages(AllocateAnyPages, EfiLoaderData, CHUNK_PAGES, &base);

	if (status != EFI_SUCCESS) {
		efi_note("AllocatePages", status);
		return false;
	}
	chunk = (struct chunk *)(uintptr_t)base;
	chunk->next = chunks;
	chunks = chunk;
	for (unsigned i = CHUNK_PAGES - 1; i > 0; i--)
		pool_free(NULL, base + (uint64_t)i * PAGE);
	return true;
}

static uint64_t pool_alloc(void *context)
{
	struct free_page *page;

	(void)context;
	if (!free_pages && !pool_grow())
		return 0;
	page = free_pages;
	free_pages = page->next;
	memset(page, 0, PAGE);
	return (uintptr_t)page;
}

const struct pagetable_memory table_pool = {.alloc = pool_alloc, .free = pool_free};

void table_pool_fini(void)
{
	free_pages = NULL;
	while (chunks) {
		struct chunk *chunk = chunks;

		chunks = chunk->next;
		memory_release((uintptr_t)chunk, CHUNK_PAGES * PAGE);
	}
}
