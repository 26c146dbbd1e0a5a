/* SPDX-License-Identifier: BSD-2-Clause */
#include "mm/variants.h"
#include <pagestamp/copy.h>
#include <string.h>

const struct copy_backend *copy_backend_find(const char *name)
{
	for (size_t i = 0; i < nr_copy_backends; i++)
		if (!strcmp(copy_backends[i]->name, name))
			return copy_backends[i];
	return NULL;
}

const struct template_instance *copy_backend_template(const struct copy_backend *backend,
                                                      const struct memmap_variant *variant)
{
	for (size_t i = 0; i < backend->nr_templates; i++)
		if (memmap_template_serves(&backend->templates[i].variant, variant))
			return &backend->templates[i];
	return NULL;
}
