/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/proof.h"
#include "mm/memmap.h"
#include "mm/pageblock.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 512 KiB of 64-byte descriptors, and as many of the reference beside them. */
#define CHUNK_PAGES (8ull << 10)

/* trace=page_ref_set: the hook's own work is to be seen, no more. */
static uint64_t traced_writes;

static void count_traced_write(const struct page *page, int value)
{
	(void)page;
	(void)value;
	traced_writes++;
}

struct visit {
	struct proof *proof;
	struct proof_row *row;
	struct memmap_job chunk;
	uint64_t first_compound; /* of the chunk, in the memmap */
	struct oracle oracle;
};

/* ---- in the window ---------------------------------------------------------------- */

static void make_reference(void *arg)
{
	struct visit *visit = arg;

	oracle_poison(&visit->chunk);
	visit->oracle.kind->base(visit->chunk.variant)(&visit->chunk, NULL);
	oracle_set_reference(&visit->oracle, &visit->chunk);
}

static void keep_words(struct dump_words *to, const struct memmap_job *chunk, uint64_t page)
{
	const unsigned words = chunk->variant->size / 8;
	const uint64_t *from = (const uint64_t *)chunk->memmap +
	                       words * (chunk->start_pfn - chunk->first_pfn + page);

	for (unsigned w = 0; w < words; w++)
		to->word[w] = from[w];
}

/* Head, tails 1 to 3 and the last of each compound that is asked for and in the chunk. */
static void dump_chunk(const struct visit *visit, struct run *run)
{
	const struct memmap_job *chunk = &visit->chunk;
	static const char *const which[] = {"head", "tail1", "tail2", "tail3", "last"};
	const unsigned order = chunk->order;
	uint64_t compound = visit->first_compound;

	for (uint64_t page = 0; page < chunk->nr_pages && compound < visit->proof->dump;
	     page += 1ull << order, compound++) {
		for (unsigned k = 0; k < (order ? 5 : 1); k++) {
			struct dump_words *to = &run->dump[run->nr_dump++];

			to->compound = compound;
			to->which = which[k];
			keep_words(to, chunk, page + (k < 4 ? k : (1ull << order) - 1));
		}
	}
}

static void prove_chunk(void *arg)
{
	struct visit *visit = arg;
	struct proof_row *row = visit->row;

	oracle_poison(&visit->chunk);
	row->written += row->build(&visit->chunk, row->backend);
	if (oracle_compare(&visit->oracle, &visit->chunk) && visit->oracle.kind->finish)
		visit->oracle.kind->finish(&visit->oracle, &visit->chunk);
	if (row->dumps)
		dump_chunk(visit, row->run);
}

/* ---- around it ---------------------------------------------------------------------- */

static void refuse(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first reason stays. */
static void refuse(struct run *run, const char *format, ...)
{
	va_list args;

	if (!run->verified)
		return;
	run->verified = 0;
	va_start(args, format);
	vsnprintf(run->why_not, sizeof(run->why_not), format, args);
	va_end(args);
}

static void judge_words(struct run *run, const struct oracle *oracle)
{
	if (oracle->differs)
		refuse(run, "pfn 0x%" PRIx64 " word %u is 0x%016" PRIx64 ", %s is 0x%016" PRIx64,
		       oracle->pfn, oracle->word, oracle->found, oracle->against, oracle->expected);
}

static void judge_pageblocks(struct run *run, const struct memmap_job *chunk)
{
	const struct pageblock_map *map = chunk->pageblocks;

	if (!map)
		return;
	for (uint64_t pfn = chunk->start_pfn; pfn < chunk->start_pfn + chunk->nr_pages;
	     pfn += 1ull << map->order)
		if (get_pageblock_migratetype(map, pfn) != MIGRATE_MOVABLE)
			refuse(run, "the pageblock of pfn 0x%" PRIx64 " is not movable", pfn);
}

/*
 * The hook sees two writes a descriptor (1, then 0), but one where the count stays 1: of an
 * ordinary page, and of a head of generic device memory.
 */
static uint64_t traced_writes_of(const struct memmap_job *job, uint64_t written)
{
	if (!job->pgmap)
		return job->order ? 2 * written : written;
	return 2 * written -
	       (job->pgmap->type == MEMORY_DEVICE_GENERIC ? job->nr_pages >> job->order : 0);
}

static void judge_counts(const struct proof *proof, const struct proof_row *row)
{
	const struct memmap_job *job = &proof->arena->job;
	const uint64_t written = arena_stored(proof->arena);
	const uint64_t traced = traced_writes_of(job, written);

	if (row->written != written)
		refuse(row->run, "%" PRIu64 " descriptors written, %" PRIu64 " expected",
		       row->written, written);
	if (proof->traced && row->traced != traced)
		refuse(row->run,
		       "the hook saw %" PRIu64 " reference-count writes, %" PRIu64 " expected",
		       row->traced, traced);
}

static void begin_row(const struct proof *proof, struct proof_row *row)
{
	const struct memmap_job *job = &proof->arena->job;
	uint64_t compounds = job->nr_pages >> job->order;

	row->written = row->traced = 0;
	row->run->verified = 1;
	if (compounds > proof->dump)
		compounds = proof->dump;
	if (!compounds || row->run->dump)
		return;
	row->run->dump = calloc(compounds * 5, sizeof(*row->run->dump));
	row->dumps = row->run->dump;
	if (!row->dumps)
		refuse(row->run, "no memory for the dump");
}

static bool prove_row_chunk(struct visit *visit, struct proof_row *row)
{
	struct arena *arena = visit->proof->arena;
	struct pageblock_map *map = arena->job.pageblocks;

	if (map)
		memset(map->bits, 0, pageblock_map_bytes(map->nr));
	traced_writes = 0;
	visit->row = row;
	visit->oracle.differs = false;
	if (!window_run(prove_chunk, visit, &arena->fault))
		return false;
	row->traced += traced_writes;
	judge_words(row->run, &visit->oracle);
	judge_pageblocks(row->run, &visit->chunk);
	if (arena->tick)
		arena->tick(arena->context);
	return true;
}

/* Whole compounds; where they are small, no more than a core's own cache holds. */
static uint64_t chunk_pages(const struct memmap_job *job, uint64_t left)
{
	const uint64_t compound = 1ull << job->order;
	const uint64_t chunk = compound < CHUNK_PAGES ? CHUNK_PAGES : compound;

	return chunk < left ? chunk : left;
}

bool prove(struct proof *proof, size_t *during)
{
	const struct memmap_job *job = &proof->arena->job;
	struct visit visit = {.proof = proof,
	                      .oracle = {.kind = proof->kind, .scratch = proof->scratch}};

	trace_page_ref_set = count_traced_write;
	for (size_t i = 0; i < proof->nr_rows; i++)
		begin_row(proof, &proof->row[i]);
	for (uint64_t done = 0; done < job->nr_pages; done += visit.chunk.nr_pages) {
		visit.chunk = arena_job(proof->arena, done, chunk_pages(job, job->nr_pages - done));
		visit.first_compound = done >> job->order;
		visit.oracle.differs = false;
		*during = proof->nr_rows;
		if (!window_run(make_reference, &visit, &proof->arena->fault))
			return false;
		for (size_t i = 0; i < proof->nr_rows; i++)
			judge_words(proof->row[i].run, &visit.oracle);
		for (size_t i = 0; i < proof->nr_rows; i++) {
			*during = i;
			if (!prove_row_chunk(&visit, &proof->row[i]))
				return false;
		}
	}
	for (size_t i = 0; i < proof->nr_rows; i++)
		judge_counts(proof, &proof->row[i]);
	return true;
}
