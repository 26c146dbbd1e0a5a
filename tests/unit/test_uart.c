/* SPDX-License-Identifier: BSD-2-Clause */
/* links: boot/uart.c */
#include "boot/uart.h"

#include <pagestamp/arch.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

/* ---- a 16550 at port 0x3f8 ------------------------------------------------------- */

static struct {
	bool there;
	unsigned busy;   /* reads of the status until there is room */
	unsigned takes;  /* characters until it is stuck; UINT_MAX = never */
	unsigned needs;  /* reads that each character needs */
	unsigned polled; /* reads of the status */
	uint8_t lcr, mcr, fcr, dll, dlm;
	char sent[256];
	size_t nr_sent;
} device;

bool arch_port_read8(uint16_t port, uint8_t *value)
{
	*value = 0xff;
	if (!device.there)
		return true;
	assert_int_equal(port, 0x3f8 + 5);
	device.polled++;
	*value = 0;
	if (device.busy)
		device.busy--;
	else if (device.takes)
		*value = 0x60;
	return true;
}

bool arch_port_write8(uint16_t port, uint8_t value)
{
	const bool dlab = device.lcr & 0x80;

	switch (port - 0x3f8) {
	case 0:
		if (dlab) {
			device.dll = value;
			return true;
		}
		assert_true(device.nr_sent < sizeof(device.sent) - 1);
		assert_int_equal(device.busy, 0); /* there was room */
		device.sent[device.nr_sent++] = (char)value;
		device.busy = device.needs;
		if (device.takes != UINT32_MAX)
			device.takes--;
		return true;
	case 1:
		assert_true(dlab); /* interrupts are not ours to allow */
		device.dlm = value;
		return true;
	case 2:
		device.fcr = value;
		return true;
	case 3:
		device.lcr = value;
		return true;
	case 4:
		device.mcr = value;
		return true;
	default:
		fail_msg("write to port 0x%x", port);
		return false;
	}
}

static const struct console_choice com1 = {CONSOLE_16550, true, 0x3f8, 8, 1, 0};

static void put_text(struct uart *uart, const char *text)
{
	for (; *text; text++)
		uart_put(uart, *text);
}

static int begin(void **state)
{
	(void)state;
	memset(&device, 0, sizeof(device));
	device.there = true;
	device.takes = UINT32_MAX;
	return 0;
}

static void every_character_waits_for_room(void **state)
{
	struct uart uart;
	char why[96];

	(void)state;
	device.needs = 700;
	assert_true(uart_open(&uart, &com1, why, sizeof(why)));
	put_text(&uart, "alive\r\n");
	assert_string_equal(device.sent, "alive\r\n");
	assert_true(device.polled > 6 * 700);
	/* As the firmware left it. */
	assert_int_equal(device.lcr | device.mcr | device.fcr, 0);
}

static void baud(void **state)
{
	struct console_choice at = com1;
	struct uart uart;
	char why[96];

	(void)state;
	at.baud = 115200;
	assert_true(uart_open(&uart, &at, why, sizeof(why)));
	assert_int_equal(device.dlm << 8 | device.dll, 1);
	at.baud = 300;
	assert_true(uart_open(&uart, &at, why, sizeof(why)));
	assert_int_equal(device.dlm << 8 | device.dll, 384);
	assert_int_equal(device.lcr, 0x03); /* 8N1, the divisor out of the way */
	assert_int_equal(device.mcr & 3, 3);
	assert_int_equal(device.fcr & 1, 1);
	put_text(&uart, "x");
	assert_string_equal(device.sent, "x");
}

static void nobody_there(void **state)
{
	struct uart uart;
	char why[96];

	(void)state;
	device.there = false;
	assert_false(uart_open(&uart, &com1, why, sizeof(why)));
	assert_string_equal(why, "no UART answers at port 0x3f8");
	/* Reads as 0: so does one that is stuck from the first. */
	device.there = true;
	device.takes = 0;
	assert_false(uart_open(&uart, &com1, why, sizeof(why)));
	assert_true(device.polled < 2000000);
}

/* It is waited for once, not once for each character, and says later what it missed. */
static void stuck_and_ready_again(void **state)
{
	struct uart uart;
	char why[96];
	unsigned polled;

	(void)state;
	assert_true(uart_open(&uart, &com1, why, sizeof(why)));
	device.takes = 2;
	put_text(&uart, "abc");
	assert_string_equal(device.sent, "ab");
	polled = device.polled;
	assert_true(polled > 100000);
	assert_true(polled < 2000000);
	for (unsigned i = 0; i < 1000; i++)
		uart_put(&uart, '.');
	assert_true(device.polled - polled <= 2000);
	assert_string_equal(device.sent, "ab");
	device.takes = UINT32_MAX;
	put_text(&uart, "de");
	assert_string_equal(device.sent, "ab\r\n[console: 1001 characters lost]\r\nde");
}

/* ---- registers in memory --------------------------------------------------------- */

static void pl011_in_memory(void **state)
{
	uint32_t registers[16] = {0};
	const struct console_choice at = {CONSOLE_PL011, false, (uintptr_t)registers, 32, 4, 0};
	struct uart uart;
	char why[96];

	(void)state;
	registers[6] = 0x90; /* transmitter empty */
	assert_true(uart_open(&uart, &at, why, sizeof(why)));
	uart_put(&uart, 'A');
	assert_int_equal(registers[0], 'A');
	registers[6] = 0x20; /* full, for ever */
	uart_put(&uart, 'B');
	assert_int_equal(registers[0], 'A');
	assert_true(uart.stuck);
	registers[6] = 0x90;
	uart_put(&uart, 'C');
	assert_int_equal(registers[0], 'C');
	assert_false(uart.stuck);
	registers[6] = 0;
	assert_false(uart_open(&uart, &at, why, sizeof(why)));
	registers[6] = UINT32_MAX;
	assert_false(uart_open(&uart, &at, why, sizeof(why)));
	assert_non_null(strstr(why, "no UART answers at address 0x"));
}

/* A register is touched in its own width: its neighbours may be other devices'. */
static void widths(void **state)
{
	static const struct {
		unsigned bits, stride;
	} rows[] = {{8, 1}, {8, 4}, {16, 2}, {16, 4}, {32, 4}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned bits = rows[i].bits, stride = rows[i].stride;
		_Alignas(8) uint8_t bytes[64];
		const struct console_choice at = {CONSOLE_16550, false,  (uintptr_t)bytes,
		                                  bits,          stride, 0};
		struct uart uart;
		char why[96];

		memset(bytes, 0x11, sizeof(bytes));
		bytes[5 * stride] = 0x60;
		assert_true(uart_open(&uart, &at, why, sizeof(why)));
		uart_put(&uart, 'Z');
		for (unsigned at_byte = 0; at_byte < sizeof(bytes); at_byte++) {
			unsigned wanted = 0x11;

			if (at_byte < bits / 8)
				wanted = at_byte ? 0 : 'Z';
			if (at_byte == 5 * stride)
				wanted = 0x60;
			assert_int_equal(bytes[at_byte], wanted);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_character_waits_for_room, begin),
		cmocka_unit_test_setup(baud, begin),
		cmocka_unit_test_setup(nobody_there, begin),
		cmocka_unit_test_setup(stuck_and_ready_again, begin),
		cmocka_unit_test(pl011_in_memory),
		cmocka_unit_test(widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
