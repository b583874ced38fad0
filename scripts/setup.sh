#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what scripts/packages.txt lists and is missing, then the npm packages of web/. Does
# nothing, quickly, if nothing is missing. --no-npm skips web/; SUPPLE_SKIP_SETUP=1 skips
# everything, for systems where the packages have other names.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ ${SUPPLE_SKIP_SETUP:-0} == 1 ]] && exit 0
want_npm=1
[[ ${1:-} == --no-npm ]] && want_npm=0

# package and probe columns
list() { sed -e 's/#.*//' scripts/packages.txt | awk 'NF >= 2 { print $1, $2 }'; }

probe_found() {
  case $1 in
    program:*) command -v "${1#program:}" > /dev/null ;;
    header:*) printf '#if !__has_include(<%s>)\n#error\n#endif\n' "${1#header:}" \
                | c++ -std=c++20 -E -x c++ -o /dev/null - 2> /dev/null ;;
    *) return 0 ;;
  esac
}

missing_by_dpkg() {
  declare -A installed=()
  while read -r package status; do
    [[ $status == installed ]] && installed[$package]=1
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(list | cut -d' ' -f1) 2> /dev/null)
  list | while read -r package probe; do
    [[ -n ${installed[$package]:-} ]] && continue
    [[ $probe == program:* ]] && probe_found "$probe" && continue
    echo "$package"
  done
}

missing_by_probe() {
  list | while read -r package probe; do probe_found "$probe" || echo "$package"; done
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND,http_proxy,https_proxy "$@"
  else
    echo "setup: these packages are missing, and neither root nor sudo is available; run as root" >&2
    echo "  apt-get install --no-install-recommends" "${missing[@]}" >&2
    exit 1
  fi
}

install_debian() {
  mapfile -t missing < <(missing_by_dpkg)
  ((${#missing[@]})) || return 0
  echo "setup: installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq < /dev/null
  as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" < /dev/null > /dev/null
}

system=unknown
if [[ -r /etc/os-release ]]; then
  system=$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-} ${ID_LIKE:-}")
fi
if [[ $system == "debian 12 "* ]]; then
  install_debian
elif [[ $system == *debian* ]] && command -v apt-get > /dev/null; then
  mapfile -t missing < <(missing_by_dpkg)
  if ((${#missing[@]})); then
    echo "setup: made for Debian 12, trying its package names on this system ($system)" >&2
    install_debian
  fi
else
  mapfile -t missing < <(missing_by_probe)
  if ((${#missing[@]})); then
    echo "setup: please install these Debian 12 packages or their equivalents" >&2
    printf '  %s\n' "${missing[@]}" >&2
    echo "and run this again, or set SUPPLE_SKIP_SETUP=1 if they are installed under other names." >&2
    exit 1
  fi
fi

# npm's own record inside node_modules shows which lock file was installed.
if ((want_npm)) && [[ -f web/package-lock.json ]] \
    && [[ ! web/node_modules/.package-lock.json -nt web/package-lock.json ]]; then
  echo "setup: installing the npm packages of web/" >&2
  npm ci --prefix web --no-audit --no-fund --loglevel=error < /dev/null
  touch web/node_modules/.package-lock.json
fi
