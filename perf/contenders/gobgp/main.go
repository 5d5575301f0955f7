// Decodes recorded BMP sessions with GoBGP's packet/bmp, as often as standard input requests.
//
//	decode STREAM SECONDS   whole passes until so much CPU time is used: passes, time and CPU time in ns, allocations
//	read STREAM SECONDS     the same, and every field of what was decoded is read into counts and a digest
//	count STREAM            one pass that reports these counts and this digest
//
// A stream is the list of session files of one argument, separated by commas. Each session has options of its own, as a
// collector must give them: which families of a peer carry path identifiers, and the size of its AS numbers.
//
// With the only argument "listen" it decodes the messages of one connection instead, see listen.go.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/osrg/gobgp/v4/pkg/packet/bmp"
)

// The last message decoded, so that no decoding can be left out.
var sink *bmp.BMPMessage

// What has been read, for the same reason.
var sum counts

func main() {
	if len(os.Args) == 2 && os.Args[1] == "listen" {
		if err := listen(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	runtime.GOMAXPROCS(1)
	streams := make([][][]byte, 0, len(os.Args)-1)
	for _, names := range os.Args[1:] {
		var sessions [][]byte
		for _, name := range strings.Split(names, ",") {
			bytes, err := os.ReadFile(name)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			sessions = append(sessions, bytes)
		}
		streams = append(streams, sessions)
	}
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		number, _ := strconv.Atoi(words[1])
		if words[0] == "count" {
			fmt.Println(count(streams[number]))
		} else {
			seconds, _ := strconv.ParseFloat(words[2], 64)
			each := func(msg *bmp.BMPMessage, _ error) { sink = msg }
			if words[0] == "read" {
				each = sum.add
			}
			fmt.Println(decode(streams[number], seconds, each))
		}
	}
}

func decode(stream [][]byte, seconds float64, each func(*bmp.BMPMessage, error)) string {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu := cpuNanos()
	start := time.Now()
	passes := 0
	for passes == 0 || float64(cpuNanos()-cpu) < seconds*1e9 {
		for _, session := range stream {
			pass(session, each)
		}
		passes++
	}
	elapsed := time.Since(start)
	cpu = cpuNanos() - cpu
	runtime.ReadMemStats(&after)
	return fmt.Sprintf("passes=%d nanos=%d cpu=%d bytes=%d allocations=%d",
		passes, elapsed.Nanoseconds(), cpu, after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs)
}

// CPU time of the process, garbage collection included.
func cpuNanos() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func pass(bytes []byte, each func(*bmp.BMPMessage, error)) {
	peers := peerOptions{}
	for len(bytes) > 0 {
		advance, frame, _ := bmp.SplitBMP(bytes, true)
		if advance == 0 {
			each(nil, fmt.Errorf("no BMP message"))
			return
		}
		each(peers.parse(frame))
		bytes = bytes[advance:]
	}
}

func count(stream [][]byte) string {
	var c counts
	for _, session := range stream {
		pass(session, c.add)
	}
	return c.String()
}
