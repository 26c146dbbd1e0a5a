/* SPDX-License-Identifier: BSD-2-Clause */
#include <pagestamp/copy.h>
#include <string.h>

const struct copy_backend *copy_backend_find(const char *name)
{
	for (size_t i = 0; i < nr_copy_backends; i++)
		if (!strcmp(copy_backends[i]->name, name))
			return copy_backends[i];
	return NULL;
}
