#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds newlib for one architecture from the newlib-source package, once.
#
#   tools/newlib.sh x86_64|arm64      build what is missing
#   tools/newlib.sh --where ARCH      print the directory it is (or would be) in
#
# The directory's name carries a hash of everything that went into it, so a new
# compiler or a changed flag makes a new one and an old one is never half-right.
set -eu

where_only=
if [ "${1:-}" = --where ]; then
	where_only=1
	shift
fi
arch=${1:-}
host=$(uname -m)
case $arch in
x86_64) target=x86_64-elf machine=x86_64 cross=x86_64-linux-gnu- ;;
arm64) target=aarch64-elf machine=aarch64 cross=aarch64-linux-gnu- ;;
*)
	echo "newlib.sh: architecture '$arch': expected x86_64 or arm64" >&2
	exit 1
	;;
esac
[ "$host" = "$machine" ] && cross=

cd "$(dirname "$0")/.."
root=$PWD
tarball=
for file in "${NEWLIB_SOURCE:-}" /usr/src/newlib/newlib-*.tar.*; do
	[ -f "$file" ] && tarball=$file && break
done
if [ -z "$tarball" ]; then
	echo "newlib.sh: no newlib source: install newlib-source, or set NEWLIB_SOURCE=newlib-x.y.z.tar.xz" >&2
	exit 1
fi

cflags="-Os -fPIC -fvisibility=hidden -ffreestanding -fno-stack-protector \
-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections -w"
case $arch in
x86_64) cflags="$cflags -mno-red-zone -fcf-protection=none" ;;
arm64) cflags="$cflags -mno-outline-atomics -mstrict-align" ;;
esac
# Not the nano formatted I/O: it has neither %llu nor %f.
configure="--disable-multilib --disable-newlib-supplied-syscalls --disable-libgloss \
--disable-nls --disable-shared --disable-newlib-multithread --enable-newlib-io-long-long \
--enable-newlib-io-c99-formats --enable-newlib-reent-small"

version=$(basename "$tarball" | sed 's/^newlib-//; s/\.tar.*//')
compiler=$("${cross}gcc" -dumpfullversion -dumpmachine | tr '\n' ' ')
hash=$(printf '%s|%s|%s' "$compiler" "$cflags" "$configure" | sha256sum | cut -c1-12)
dir=.cache/newlib/$arch-$version-$hash
if [ -n "$where_only" ]; then
	echo "$dir"
	exit 0
fi
[ -f "$dir/lib/libc.a" ] && exit 0

# Two builds of one kind at once are one: the second waits here and finds it done.
mkdir -p .cache/newlib
exec 9>".cache/newlib/lock.$arch"
flock 9
[ -f "$dir/lib/libc.a" ] && exit 0

echo "newlib $version for $arch: building, about 40 s on two idle CPUs ..."
work=$root/.cache/newlib/work.$$
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$work/build"
tar -xf "$tarball" -C "$work" --strip-components=1
cd "$work/build"
log=$work/log
if ! {
	# shellcheck disable=SC2086 # a list of options
	../configure --target="$target" --prefix="$work/install" $configure \
		CC_FOR_TARGET="${cross}gcc" AS_FOR_TARGET="${cross}as" LD_FOR_TARGET="${cross}ld" \
		AR_FOR_TARGET="${cross}ar" RANLIB_FOR_TARGET="${cross}ranlib" \
		NM_FOR_TARGET="${cross}nm" STRIP_FOR_TARGET="${cross}strip" \
		OBJDUMP_FOR_TARGET="${cross}objdump" \
		CFLAGS_FOR_TARGET="$cflags -ffile-prefix-map=$work=newlib" MAKEINFO=true &&
		make -j"$(nproc)" MAKEINFO=true all-target-newlib &&
		make MAKEINFO=true install-target-newlib
} >"$log" 2>&1 9>&-; then
	tail -n 30 "$log" >&2
	echo "newlib.sh: building newlib for $arch failed (its last lines are above)" >&2
	exit 1
fi
cd "$root"
# The rename comes last: a directory of that name is always a complete one.
rm -rf "$dir"
mv "$work/install/$target" "$dir"
echo "newlib $version for $arch: ready"
