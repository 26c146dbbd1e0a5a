#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs what the given make goals need and this machine lacks.
#
#   tools/setup.sh "ARCH ..." GOAL ...
#
# Debian and Ubuntu: by apt. Elsewhere: prints the names of the packages and stops.
# Silent and quick when nothing is missing.
set -eu

cd "$(dirname "$0")/.."
archs=$1
shift
machine=$(uname -m)

# ---- What a goal needs -------------------------------------------------------

needs=()
need() { needs+=("$@"); }

need_build() {
	need gcc libc make python3 gnu-efi newlib-source xz
	for arch in $archs; do
		case $arch/$machine in
		x86_64/x86_64 | arm64/aarch64) ;;
		*) need "gcc-$arch" ;;
		esac
	done
}

need_run() {
	need_build
	need mtools
	for arch in $archs; do
		need "qemu-$arch" "firmware-$arch"
	done
}

need_check() {
	need gcc libc make clang-format clang-tidy shellcheck cmocka
}

need_fuzz() {
	need make python3 libc clang clang-rt
}

for goal in "$@"; do
	case $goal in
	run | instructions | sweep | faults | fault-images) need_run ;;
	check) need_check ;;
	fuzz | fuzzers) need_fuzz ;;
	test | setup)
		need_run
		need_check
		need_fuzz
		# Only where they are one package away: the tests are skipped elsewhere.
		if command -v apt-get >/dev/null; then
			need qemu-user
			[ "$(uname -m)" = x86_64 ] && need bochs
		fi
		;;
	bench) need gcc libc make ;;
	image) need_build && need mtools ;;
	report | clean | help) ;;
	*) need_build ;;
	esac
done

# ---- What there is, and what it is called ------------------------------------

command_there() { command -v "$1" >/dev/null 2>&1; }
file_there() {
	local file
	for file in "$@"; do
		[ -e "$file" ] && return 0
	done
	return 1
}

# A variable names one (tools/firmware.py says so when it does not exist), or it is found.
firmware_there() {
	local arch variable place
	while read -r arch variable place; do
		[ "$arch" = "$1" ] || continue
		[ -n "${!variable:-}" ] && return 0
		[ -e "$place" ] && return 0
	done <tools/firmware.txt
	return 1
}

fuzzer_links() {
	echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
		clang -fsanitize=fuzzer,address,undefined -xc - -o /dev/null 2>/dev/null
}

there() {
	case $1 in
	gcc | make | python3 | xz | shellcheck | clang | clang-format | clang-tidy | bochs)
		command_there "$1"
		;;
	libc) file_there /usr/include/stdlib.h ;;
	gcc-x86_64) command_there x86_64-linux-gnu-gcc ;;
	gcc-arm64) command_there aarch64-linux-gnu-gcc ;;
	gnu-efi) file_there "${GNUEFI_INCLUDE:-/usr/include/efi}/efi.h" ;;
	newlib-source) file_there "${NEWLIB_SOURCE:-}" /usr/src/newlib/newlib-*.tar.* ;;
	mtools) command_there mcopy ;;
	qemu-x86_64) command_there qemu-system-x86_64 ;;
	qemu-arm64) command_there qemu-system-aarch64 ;;
	qemu-user) command_there qemu-aarch64 ;;
	firmware-x86_64 | firmware-arm64) firmware_there "${1#firmware-}" ;;
	cmocka) file_there /usr/include/cmocka.h ;;
	clang-rt) fuzzer_links ;;
	*)
		echo "setup.sh: no rule for '$1'" >&2
		exit 1
		;;
	esac
}

# need: Debian and Ubuntu | Fedora | Arch
names='
gcc              | gcc                                  | gcc                   | gcc
libc             | libc6-dev                            | glibc-devel           | glibc
make             | make                                 | make                  | make
python3          | python3                              | python3               | python
xz               | xz-utils                             | xz                    | xz
gnu-efi          | gnu-efi                              | gnu-efi-devel         | gnu-efi
newlib-source    | newlib-source                        | (newlib-x.y.z.tar.xz, see NEWLIB_SOURCE) | (newlib-x.y.z.tar.xz, see NEWLIB_SOURCE)
gcc-x86_64       | gcc-x86-64-linux-gnu libc6-dev-amd64-cross | gcc-x86_64-linux-gnu | (a gcc named x86_64-linux-gnu-gcc)
gcc-arm64        | gcc-aarch64-linux-gnu libc6-dev-arm64-cross | gcc-aarch64-linux-gnu | aarch64-linux-gnu-gcc
mtools           | mtools                               | mtools                | mtools
qemu-x86_64      | qemu-system-x86                      | qemu-system-x86       | qemu-system-x86
qemu-arm64       | qemu-system-arm                      | qemu-system-aarch64   | qemu-system-aarch64
firmware-x86_64  | ovmf                                 | edk2-ovmf             | edk2-ovmf
firmware-arm64   | qemu-efi-aarch64                     | edk2-aarch64          | edk2-aarch64
cmocka           | libcmocka-dev                        | libcmocka-devel       | cmocka
clang            | clang                                | clang compiler-rt     | clang compiler-rt
clang-rt         | libclang-rt-dev                      | compiler-rt           | compiler-rt
clang-format     | clang-format                         | clang-tools-extra     | clang
clang-tidy       | clang-tidy                           | clang-tools-extra     | clang
shellcheck       | shellcheck                           | ShellCheck            | shellcheck
qemu-user        | qemu-user                            |                       |
bochs            | bochs bochs-term bochsbios vgabios   |                       |
'

os_like=" $(sed -n 's/^ID\(_LIKE\)\?=//p' /etc/os-release 2>/dev/null | tr -d '"' | tr '\n' ' ')"
case $os_like in
*" debian "* | *" ubuntu "*) column=2 ;;
*" fedora "* | *" rhel "*) column=3 ;;
*" arch "*) column=4 ;;
*) column=2 ;;
esac
package_of() {
	awk -F'|' -v need="$1" -v column=$column \
		'{ key = $1; gsub(/ /, "", key) } key == need { gsub(/^ +| +$/, "", $column); print $column }' \
		<<<"$names"
}

packages=
for item in $(printf '%s\n' "${needs[@]}" | sort -u); do
	there "$item" || packages="$packages $(package_of "$item")"
done
[ -z "$packages" ] && exit 0

# ---- Getting it --------------------------------------------------------------

if [ "$column" != 2 ] || ! command_there apt-get; then
	echo "setup: please install:$packages" >&2
	[ "$column" = 2 ] && echo "setup: (these are Debian's names)" >&2
	exit 1
fi
root=
if [ "$(id -u)" != 0 ]; then
	if ! command_there sudo; then
		echo "setup: not root and no sudo; please run: apt-get install$packages" >&2
		exit 1
	fi
	root=sudo
fi
echo "setup: missing:$packages"
echo "setup: apt-get update"
apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0"
# shellcheck disable=SC2086 # lists
{
	$apt update
	# Older releases have it in a package that clang brings along.
	apt-cache show libclang-rt-dev >/dev/null 2>&1 || packages=${packages/libclang-rt-dev/}
	echo "setup: apt-get install$packages"
	$apt install -y --no-install-recommends $packages
} || {
	echo "setup: apt could not install:$packages" >&2
	exit 1
}
for item in "${needs[@]}"; do
	if ! there "$item"; then
		echo "setup: '$item' is still missing after installing $(package_of "$item")" >&2
		exit 1
	fi
done
echo "setup: done"
