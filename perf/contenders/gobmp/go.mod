module silkroute.dev/perf/gobmp

go 1.25.0

require (
	github.com/golang/glog v1.2.5
	github.com/sbezverk/gobmp v1.1.0
)

require (
	github.com/sbezverk/tools v0.0.0-20230714051746-80037ac202cf // indirect
	golang.org/x/exp v0.0.0-20230713183714-613f0c0eb8a1 // indirect
)
