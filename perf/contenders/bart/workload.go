package main

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"strings"
)

// The file that all contenders read; Workload.java describes its layout.
type workload struct {
	sections map[string][]byte
	prefixes []netip.Prefix
}

type route struct {
	peer, prefix, set uint32
}

const (
	nameBytes   = 24
	entryBytes  = nameBytes + 16
	prefixBytes = 20
	routeBytes  = 12
)

func readWorkload(name string) (*workload, error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(file), "RIBWORK1") {
		return nil, errors.New(name + " is no workload")
	}
	w := &workload{sections: map[string][]byte{}}
	for i := range int(binary.LittleEndian.Uint32(file[8:])) {
		entry := file[16+i*entryBytes:]
		from := binary.LittleEndian.Uint64(entry[nameBytes:])
		length := binary.LittleEndian.Uint64(entry[nameBytes+8:])
		w.sections[strings.TrimRight(string(entry[:nameBytes]), "\x00")] = file[from : from+length]
	}
	for p := w.sections["prefixes"]; len(p) > 0; p = p[prefixBytes:] {
		address := netip.AddrFrom4([4]byte(p[:4]))
		if p[17] != 0 {
			address = netip.AddrFrom16([16]byte(p[:16]))
		}
		w.prefixes = append(w.prefixes, netip.PrefixFrom(address, int(p[16])))
	}
	return w, nil
}

func (w *workload) routes(name string) []route {
	var routes []route
	for b := w.sections["r:"+name]; len(b) > 0; b = b[routeBytes:] {
		routes = append(routes, route{
			binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])})
	}
	return routes
}

func (w *workload) probes(name string) []netip.Addr {
	var probes []netip.Addr
	b := w.sections["p:"+name]
	if strings.HasSuffix(name, "6") {
		for ; len(b) > 0; b = b[16:] {
			probes = append(probes, netip.AddrFrom16([16]byte(b[:16])))
		}
		return probes
	}
	for ; len(b) > 0; b = b[4:] {
		address := [4]byte{}
		binary.BigEndian.PutUint32(address[:], binary.LittleEndian.Uint32(b))
		probes = append(probes, netip.AddrFrom4(address))
	}
	return probes
}

// As in Digest.java.
type digest struct {
	hits, sum uint64
}

func (d *digest) add(probe int, answer uint64) {
	d.hits++
	d.sum += mix(answer + uint64(probe))
}

func prefixDigest(prefix netip.Prefix) uint64 {
	bytes := prefix.Addr().As16()
	if prefix.Addr().Is4() {
		four := prefix.Addr().As4()
		bytes = [16]byte{}
		copy(bytes[:], four[:])
	}
	high := binary.BigEndian.Uint64(bytes[:])
	low := binary.BigEndian.Uint64(bytes[8:])
	return mix(high ^ mix(low^mix(uint64(prefix.Bits()))))
}

func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
