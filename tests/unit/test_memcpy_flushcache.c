/* SPDX-License-Identifier: BSD-2-Clause */
/* links: arch-copies */
#include <pagestamp/memcpy_nt.h>

/* clang-format off: cmocka wants these first, in this order */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#ifdef ARCH_HAS_MEMCPY_FLUSHCACHE
static unsigned char src[512], dst[768], expected[768];

static void prepare(void)
{
	for (unsigned i = 0; i < sizeof(src); i++)
		src[i] = (unsigned char)(i * 11 + 3);
	memset(dst, 0xc3, sizeof(dst));
	memset(expected, 0xc3, sizeof(expected));
}

static void every_length_and_alignment(void **state)
{
	(void)state;
	for (size_t to = 0; to < 72; to++) {
		for (size_t n = 0; n < 200; n++) {
			prepare();
			memcpy(expected + 128 + to, src + 7, n);
			memcpy_flushcache(dst + 128 + to, src + 7, n);
			arch_memcpy_nt_drain();
			assert_memory_equal(dst, expected, sizeof(dst));
		}
	}
}

static void inline_sizes(void **state)
{
	(void)state;
#define CHECK(n)                                                                                   \
	do {                                                                                       \
		prepare();                                                                         \
		memcpy(expected + 128, src + 3, n);                                                \
		memcpy_flushcache(dst + 128, src + 3, n);                                          \
		assert_memory_equal(dst, expected, sizeof(dst));                                   \
	} while (0)
	CHECK(4);
	CHECK(8);
	CHECK(16);
	CHECK(32);
	CHECK(48);
	CHECK(64);
	CHECK(80);
	CHECK(96);
}
#else
static void every_length_and_alignment(void **state)
{
	(void)state;
	skip();
}

static void inline_sizes(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_and_alignment),
		cmocka_unit_test(inline_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
