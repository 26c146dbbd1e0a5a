/* SPDX-License-Identifier: BSD-2-Clause */
/* links: bench/look.c discover/content.c discover/blank.c discover/superblock.c */
/* links: discover/number.c report/results.c */
/* A device whose reading raises errors, behind a window of this file. */
#include "tests/unit/samples.h"

#include <pagestamp/bench.h>
#include <pagestamp/window.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#define BASE 0x100000000ull
#define SIZE (8ull << 20)
#define PAGE 4096ull

/* How the error is told, as the two architectures do, and as it should not be. */
enum told { BY_PHYSICAL, BY_VIRTUAL, BY_NOBODY, ELSEWHERE, NOT_OF_MEMORY };

static struct {
	uint8_t *memory, *view; /* the same pages; of the view those of one mapping */
	uint64_t bad;           /* offset of the page whose first line is poisoned */
	uint64_t mapped;        /* offset of what the view shows */
	enum told told;
	unsigned raised;
} device;

static sigjmp_buf abandoned;

uintptr_t window_base(void)
{
	return (uintptr_t)device.view;
}

bool window_map_readonly(uintptr_t va, const struct pmem_range *range, uint64_t offset,
                         uint64_t size)
{
	assert_true(va == window_base() && offset + size <= range->size);
	memcpy(device.view, device.memory + offset, size);
	device.mapped = offset;
	if (device.bad >= offset && device.bad < offset + size)
		assert_int_equal(mprotect(device.view + device.bad - offset, PAGE, PROT_NONE), 0);
	return true;
}

void window_unmap(uintptr_t va, uint64_t size)
{
	assert_int_equal(mprotect((void *)va, size, PROT_READ | PROT_WRITE), 0);
}

static void raise_error(int number)
{
	(void)number;
	siglongjmp(abandoned, 1);
}

bool window_run(void (*fn)(void *arg), void *arg, struct window_fault *fault)
{
	const struct sigaction action = {.sa_handler = raise_error};
	struct sigaction old;
	bool survived;

	*fault = (struct window_fault){.what = "an error"};
	sigaction(SIGSEGV, &action, &old);
	survived = !sigsetjmp(abandoned, 1);
	if (survived)
		fn(arg);
	sigaction(SIGSEGV, &old, NULL);
	if (survived)
		return true;
	device.raised++;
	fault->memory_error = device.told != NOT_OF_MEMORY;
	fault->address = device.told == BY_PHYSICAL  ? BASE + device.bad + 8
	                 : device.told == BY_VIRTUAL ? window_base() + device.bad - device.mapped
	                 : device.told == BY_NOBODY  ? 0
	                                             : 0x1234567;
	return false;
}

/* ---- tests ------------------------------------------------------------------- */

static struct results look(enum told told, uint64_t bad, struct pmem_range *range)
{
	struct results results = {.pass = true, .ranges = {range, 1}};

	*range = (struct pmem_range){
		.id = "pmem0", .kind = RANGE_PERSISTENT, .base = BASE, .size = SIZE};
	device.told = told;
	device.bad = bad;
	device.raised = 0;
	bench_look_at_ranges(&results);
	return results;
}

static void a_poisoned_line_is_told(void **state)
{
	static const uint64_t bad[] = {0, PAGE, 2 * PAGE, SIZE - PAGE};
	struct pmem_range range;

	(void)state;
	for (enum told told = BY_PHYSICAL; told <= BY_NOBODY; told++) {
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			struct results results = look(told, bad[i], &range);
			char line[64];

			snprintf(line, sizeof(line), "poisoned line at 0x%llx; ",
			         (unsigned long long)(BASE + bad[i]));
			assert_true(results.pass);
			assert_int_equal(range.content, CONTENT_FOREIGN);
			assert_int_equal(range.poisoned, BASE + bad[i]);
			assert_memory_equal(range.holds, line, strlen(line));
			assert_int_equal(device.raised, 1); /* it is not touched again */
			assert_int_equal(results.nr_skipped, 1);
			assert_string_equal(results.skipped[0].what, "reading all of pmem0");
			assert_string_equal(results.skipped[0].why, range.holds);
			free(results.skipped);
		}
	}
}

/* An error of another memory, or a fault, says that something is wrong with the run. */
static void anything_else_fails(void **state)
{
	struct pmem_range range;

	(void)state;
	for (enum told told = ELSEWHERE; told <= NOT_OF_MEMORY; told++) {
		struct results results = look(told, PAGE, &range);

		assert_false(results.pass);
		assert_string_equal(results.fail_why, "an error while reading pmem0 at 0x1000");
		assert_int_equal(range.content, CONTENT_FOREIGN);
		assert_int_equal(range.poisoned, 0);
		assert_int_equal(results.nr_skipped, 0);
	}
}

static void a_good_device_is_read(void **state)
{
	struct pmem_range range;
	struct results results = look(BY_PHYSICAL, SIZE, &range);

	(void)state;
	assert_true(results.pass);
	assert_int_equal(range.content, CONTENT_BLANK);
	memcpy(device.memory, "XFSB", 4);
	results = look(BY_PHYSICAL, SIZE, &range);
	assert_string_equal(range.holds, "xfs file system");
	/* What is beside the poison still names what is there. */
	results = look(BY_PHYSICAL, PAGE, &range);
	assert_string_equal(range.holds,
	                    "poisoned line at 0x100001000; unknown contents (cannot be read)");
	free(results.skipped);
	results = look(BY_PHYSICAL, 7 * PAGE, &range);
	assert_string_equal(range.holds, "xfs file system");
	memset(device.memory, 0, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_poisoned_line_is_told),
		cmocka_unit_test(anything_else_fails),
		cmocka_unit_test(a_good_device_is_read),
	};
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	device.memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	device.view = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (device.memory == MAP_FAILED || device.view == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
