#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Standard input to the file $1, whose time stays as it is when nothing changed.
set -eu
new=$1.$$ # two makes may be at it
cat >"$new"
if cmp -s "$new" "$1"; then
	rm "$new"
else
	mv "$new" "$1"
fi
