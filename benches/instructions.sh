#!/bin/sh
# Instructions a run, counted by callgrind, starting up subtracted: what 2N seeds take less what N take.
# Unlike times they are the same on every machine of a kind and at every load.
#
# benches/instructions.sh                      checkout and peer-baseline
# benches/instructions.sh SCENARIO SEEDS       another scenario, or a file
# benches/instructions.sh scale                1 to 10,000 orders in one world, per order; ends with 1 if a
#                                              promise is broken, or if an order of many costs more than 1.5
#                                              times one of ten
set -eu
cd "$(dirname "$0")/.."
bench=$(cargo bench -q --bench counted --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*counted[^"]*\)".*/\1/p' | tail -1)

count() { # SCENARIO SEEDS [ORDERS]
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p'
}

a_run() { # SCENARIO SEEDS [ORDERS]
    scenario=$1 seeds=$2
    shift 2
    less=$(count "$scenario" "$seeds" "$@")
    more=$(count "$scenario" $((2 * seeds)) "$@")
    echo $(((more - less) / seeds))
}

scale() {
    ten=0 bad=0
    for orders in 1 10 100 1000 10000; do
        seeds=$((2000 / orders))
        [ "$seeds" -ge 2 ] || seeds=2
        "$bench" benches/many.toml $((2 * seeds)) "$orders" || bad=1
        each=$(($(a_run benches/many.toml "$seeds" "$orders") / orders))
        echo "$orders orders: $each instructions an order"
        [ "$orders" -ne 10 ] || ten=$each
        [ "$orders" -le 10 ] || [ $((2 * each)) -le $((3 * ten)) ] || bad=1
    done
    return "$bad"
}

case "${1:-}" in
scale) scale ;;
"")
    echo "checkout: $(a_run checkout 1000) instructions a run"
    echo "peer-baseline: $(a_run peer-baseline 1000) instructions a run"
    ;;
*) echo "$1: $(a_run "$1" "${2:-1000}") instructions a run" ;;
esac
