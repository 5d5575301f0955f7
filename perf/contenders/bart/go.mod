module silkroute.dev/perf/bart

go 1.24.0

require github.com/gaissmai/bart v0.29.0
