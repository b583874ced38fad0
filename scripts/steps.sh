# SPDX-License-Identifier: Apache-2.0
# Sourced by ./test, ./demo and ./bench: steps with one line each, their output in build/logs.

logs=build/logs
mkdir -p "$logs"
jobs=${SUPPLE_JOBS:-$(nproc)}
passed=0
failed_names=()

# step NAME COMMAND... runs a command quietly; on failure shows the end of its log and continues.
step() {
  local name=$1 started=$SECONDS status=0
  shift
  local log=$logs/${name// /-}.log
  printf '%-24s' "$name"
  "$@" > "$log" 2>&1 < /dev/null || status=$?
  count_results "$name" "$log" $status
  if ((status == 0)); then
    printf 'ok %6d s%s\n' $((SECONDS - started)) "$(summary "$log")"
  else
    printf 'FAILED %2d s  %s\n' $((SECONDS - started)) "$log"
    tail -n "${SUPPLE_TAIL:-60}" "$log" | sed 's/^/  | /'
  fi
  return $status
}

# Tests in ctest count individually, without skipped ones; every other step counts as one.
count_results() {
  local name=$1 log=$2 status=$3 total bad skipped
  total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -1)
  if [[ -z $total ]]; then
    if ((status == 0)); then passed=$((passed + 1)); else failed_names+=("$name"); fi
    return
  fi
  mapfile -t bad < <(sed -n 's/^\t *[0-9]* - \(.*\) (\(Failed\|Timeout\|Not Run\|SEGFAULT\|Subprocess aborted\|ILLEGAL\|NUMERICAL\|OTHER_FAULT\|Exit code.*\|SIG.*\))$/\1/p' "$log")
  skipped=$(grep -cP '^\t *[0-9]* - .* \(Skipped\)$' "$log")
  passed=$((passed + total - ${#bad[@]} - skipped))
  ((${#bad[@]})) && failed_names+=("${bad[@]/#/$name: }")
  if ((status != 0 && ${#bad[@]} == 0)); then failed_names+=("$name"); fi
}

# The summary of a successful log: how many tests ran, which were skipped.
summary() {
  local log=$1 total skipped
  total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -1)
  [[ -n $total ]] || return 0
  printf '  %d tests' "$total"
  sed -n 's/^\([0-9]*\) tests passed before .*/, \1 unchanged/p' "$log" | tr -d '\n'
  skipped=$(sed -n 's/^\t *[0-9]* - \(.*\) (Skipped)$/\1/p' "$log" | sort -u | paste -sd' ')
  [[ -z $skipped ]] || printf ', SKIPPED: %s' "$skipped"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  cmake --preset "$preset" && cmake --build --preset "$preset" --parallel "$jobs" ${@:+--target "$@"}
}

# The last line, and the exit status of the whole.
finish() {
  local name
  for name in "${failed_names[@]}"; do echo "failed: $name"; done
  echo "$passed passed, ${#failed_names[@]} failed"
  exit $((${#failed_names[@]} > 0))
}
