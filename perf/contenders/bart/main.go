// Longest-prefix matches of bart's Fast table, controlled by commands on standard input; the only argument is the workload's file.
//
//	apply ROUTES             a new table with these routes' prefixes: routes, time and CPU time in ns, bytes allocated
//	memory                   bytes in use, after a collection, more than before the table was made
//	lookup PROBES lpm SECONDS  all probes in turn until so much CPU time is used: lookups, time and CPU time in ns
//	check PROBES lpm         hits and digest of the answers
package main

import (
	"bufio"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gaissmai/bart"
)

// Probes whose answers are checked.
const checked = 100_000

// The sum of what was found, so that no lookup can be left out.
var sink uint64

type contender struct {
	work   *workload
	table  *bart.Fast[uint32]
	before uint64
}

func main() {
	runtime.GOMAXPROCS(1)
	work, err := readWorkload(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	c := contender{work: work}
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		switch words[0] {
		case "apply":
			fmt.Println(c.apply(work.routes(words[1])))
		case "memory":
			fmt.Printf("bytes=%d\n", inUse()-c.before)
		case "lookup":
			seconds, _ := strconv.ParseFloat(words[3], 64)
			fmt.Println(c.lookup(work.probes(words[1]), seconds))
		case "check":
			fmt.Println(c.check(work.probes(words[1])))
		default:
			fmt.Println("unknown")
		}
	}
}

func (c *contender) apply(routes []route) string {
	c.table = nil
	c.before = inUse()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu := cpuNanos()
	start := time.Now()
	table := new(bart.Fast[uint32])
	for _, r := range routes {
		table.Insert(c.work.prefixes[r.prefix], r.prefix)
	}
	nanos := time.Since(start).Nanoseconds()
	cpu = cpuNanos() - cpu
	runtime.ReadMemStats(&after)
	c.table = table
	return fmt.Sprintf("routes=%d prefixes=%d nanos=%d cpu=%d allocated=%d",
		len(routes), table.Size(), nanos, cpu, after.TotalAlloc-before.TotalAlloc)
}

func (c *contender) lookup(probes []netip.Addr, seconds float64) string {
	cpu := cpuNanos()
	start := time.Now()
	passes := 0
	for passes == 0 || float64(cpuNanos()-cpu) < seconds*1e9 {
		// A hot set is gone through often between two looks at the clock.
		for n := 0; n < 1_000_000; n += len(probes) {
			sum := uint64(0)
			for _, address := range probes {
				value, _ := c.table.Lookup(address)
				sum += uint64(value)
			}
			sink += sum
			passes++
		}
	}
	return fmt.Sprintf("lookups=%d nanos=%d cpu=%d",
		passes*len(probes), time.Since(start).Nanoseconds(), cpuNanos()-cpu)
}

func (c *contender) check(probes []netip.Addr) string {
	d := digest{}
	for i, address := range probes[:min(checked, len(probes))] {
		if value, ok := c.table.Lookup(address); ok {
			d.add(i, prefixDigest(c.work.prefixes[value]))
		}
	}
	return fmt.Sprintf("hits=%d digest=%d", d.hits, d.sum)
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// CPU time of the process, garbage collection included.
func cpuNanos() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
