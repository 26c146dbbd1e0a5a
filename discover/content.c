/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/content.h>

#include <pagestamp/superblock.h>

#include <stdio.h>
#include <string.h>

/*
 * Well-known marks, only to name what is there; the more telling ones first. Arrays and no
 * pointers: those would each cost a relocation.
 */
static const struct {
	uint32_t offset : 24, length : 8;
	char mark[15], name[33];
} marks[] = {
	{512, 8, "EFI PART", "GPT partition table"},
	{4096, 8, "EFI PART", "GPT partition table"},
	{4096, 15, "BTT_ARENA_INFO", "sector-mode (BTT) namespace"},
	{0, 15, "BTT_ARENA_INFO", "sector-mode (BTT) namespace"},
	{0, 6, "LUKS\xba\xbe", "LUKS encrypted volume"},
	{0, 8, "LABELONE", "LVM physical volume"},
	{512, 8, "LABELONE", "LVM physical volume"},
	{1024, 8, "LABELONE", "LVM physical volume"},
	{1536, 8, "LABELONE", "LVM physical volume"},
	{4096, 4, "\xfc\x4e\x2b\xa9", "md RAID member"},
	{0, 4, "\xfc\x4e\x2b\xa9", "md RAID member"},
	{0, 4, "XFSB", "xfs file system"},
	{65600, 8, "_BHRfS_M", "btrfs file system"},
	{1080, 2, "\x53\xef", "ext4 (or ext2, ext3) file system"},
	{1024, 4, "\x10\x20\xf5\xf2", "f2fs file system"},
	{4086, 10, "SWAPSPACE2", "swap space"},
	{4086, 10, "SWAP-SPACE", "swap space"},
	{3, 8, "NTFS    ", "NTFS file system"},
	{82, 8, "FAT32   ", "FAT file system"},
	{54, 8, "FAT16   ", "FAT file system"},
	{32769, 5, "CD001", "ISO 9660 image"},
	{510, 2, "\x55\xaa", "MBR partition table"},
};

static const char *name_of_contents(const struct pmem_range *range,
                                    const struct content_reader *reader)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		char found[16];

		if (marks[i].offset + marks[i].length <= range->size &&
		    reader->read(reader->ctx, marks[i].offset, found, marks[i].length) &&
		    memcmp(found, marks[i].mark, marks[i].length) == 0)
			return marks[i].name;
	}
	return "unknown contents";
}

static void settle(struct pmem_range *range, enum range_content content, const char *holds)
{
	range->content = content;
	snprintf(range->holds, sizeof(range->holds), "%s", holds);
}

static void judge(struct pmem_range *range, const struct content_reader *reader)
{
	uint8_t block[SUPERBLOCK_SIZE] = {0};
	struct pmem_namespace ns;
	const char *why;

	range->ns = (struct pmem_namespace){0};
	if (range->kind == RANGE_MEMMAP) {
		settle(range, CONTENT_BLANK, "nothing (RAM named by memmap=)");
		return;
	}
	if (range->kind == RANGE_VIRTUAL) {
		settle(range, CONTENT_UNREAD, "a virtual disk, not looked at");
		return;
	}
	if (range->size >= SUPERBLOCK_OFFSET + SUPERBLOCK_SIZE &&
	    !reader->read(reader->ctx, SUPERBLOCK_OFFSET, block, sizeof(block))) {
		settle(range, CONTENT_FOREIGN, "unknown contents (cannot be read)");
		return;
	}
	switch (superblock_read(block, range->base, range->size, &ns, &why)) {
	case SUPERBLOCK_GOOD:
		range->content = CONTENT_NAMESPACE;
		range->ns = ns;
		superblock_describe(&ns, range->holds, sizeof(range->holds));
		return;
	case SUPERBLOCK_REFUSED:
		range->content = CONTENT_FOREIGN;
		snprintf(range->holds, sizeof(range->holds), "%s namespace: %s",
		         ns.mode == NS_FSDAX ? "fsdax" : "devdax", why);
		return;
	case SUPERBLOCK_BROKEN:
		settle(range, CONTENT_FOREIGN, "unknown contents");
		return;
	case SUPERBLOCK_NONE:
		break;
	}
	if (blank_judge(reader->zero, reader->ctx, range->size))
		settle(range, CONTENT_BLANK, "nothing (blank)");
	else
		settle(range, CONTENT_FOREIGN, name_of_contents(range, reader));
}

/* What a poisoned line held nobody can say, so it is somebody's. */
void content_judge(struct pmem_range *range, const struct content_reader *reader)
{
	char rest[sizeof(range->holds)];

	range->poisoned = 0;
	judge(range, reader);
	if (!range->poisoned)
		return;
	range->content = CONTENT_FOREIGN;
	memcpy(rest, range->holds, sizeof(rest));
	snprintf(range->holds, sizeof(range->holds), "poisoned line at 0x%llx; %.63s",
	         (unsigned long long)range->poisoned, rest);
}
