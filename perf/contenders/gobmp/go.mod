module silkroute.dev/perf/gobmp

go 1.25.0

require (
	github.com/golang/glog v1.2.5
	github.com/sbezverk/gobmp v1.1.0
)
