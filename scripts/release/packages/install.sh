#!/bin/sh
# Installs tshelm @VERSION@: downloads the archive for this machine, compares its checksum with the one that is written
# below, and puts the program into $TSHELM_INSTALL_DIR, or /usr/local/bin, or where that may not be written, ~/.local/bin.
# $TSHELM_DOWNLOADS is a mirror of @DOWNLOADS@.
set -eu

fail() {
  echo "tshelm was not installed: $1" >&2
  exit 1
}

target() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no archive for $(uname -s) that this script could install; on Windows: scoop, or unpack the .zip" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=amd64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no archive for a processor of the kind $(uname -m); npm install --global tshelm needs Node alone" ;;
  esac
  libc=
  for loader in /lib/ld-musl-*; do
    if [ "$system" = linux ] && [ -e "$loader" ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; then libc=-musl; fi
  done
  echo "$system-$processor$libc"
}

checksum() {
  case $1 in
    linux-amd64) echo "@SHA256 linux-amd64@" ;;
    linux-arm64) echo "@SHA256 linux-arm64@" ;;
    linux-amd64-musl) echo "@SHA256 linux-amd64-musl@" ;;
    linux-arm64-musl) echo "@SHA256 linux-arm64-musl@" ;;
    darwin-amd64) echo "@SHA256 darwin-amd64@" ;;
    darwin-arm64) echo "@SHA256 darwin-arm64@" ;;
  esac
}

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is there"
  fi
}

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  else
    fail "neither sha256sum nor shasum is there to check what was downloaded"
  fi
}

folder() {
  if [ -n "${TSHELM_INSTALL_DIR:-}" ]; then
    echo "$TSHELM_INSTALL_DIR"
  elif [ -w /usr/local/bin ]; then
    echo /usr/local/bin
  else
    echo "$HOME/.local/bin"
  fi
}

# All of it is read before any of it runs: a download of this script that was cut off does nothing.
main() {
  machine=$(target)
  archive=tshelm-v@VERSION@-$machine.tar.gz
  address=${TSHELM_DOWNLOADS:-@DOWNLOADS@}/$archive
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  download "$address" "$scratch/$archive" || fail "$address cannot be downloaded"
  found=$(sha256 "$scratch/$archive" | cut -d ' ' -f 1)
  [ "$found" = "$(checksum "$machine")" ] || fail "the checksum of $address is $found, not $(checksum "$machine")"
  tar -xzf "$scratch/$archive" -C "$scratch"
  where=$(folder)
  mkdir -p "$where"
  # Under another name first: a program that is running cannot be written, but replaced.
  cp "$scratch/${machine%-musl}/tshelm" "$where/.tshelm.new"
  chmod 755 "$where/.tshelm.new"
  mv -f "$where/.tshelm.new" "$where/tshelm"
  echo "tshelm @VERSION@ is installed: $where/tshelm"
  case :$PATH: in
    *:"$where":*) ;;
    *) echo "$where is not on the PATH: export PATH=\"$where:\$PATH\"" ;;
  esac
}

main
