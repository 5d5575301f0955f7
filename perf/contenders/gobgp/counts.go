package main

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/packet/bgp"
	"github.com/osrg/gobgp/v4/pkg/packet/bmp"
)

// Every contender folds values by the same rule: a list is h = h * factor + value, element by element; what a route or an
// attribute gives is weighted by its kind and summed up.
const factor = 0x9E3779B97F4A7C15

const (
	announced = 301
	withdrawn = 303
)

type counts struct {
	messages, announced, withdrawn, attributes, errors, digest uint64
}

func (c *counts) String() string {
	return fmt.Sprintf("messages=%d announced=%d withdrawn=%d attributes=%d errors=%d digest=%d",
		c.messages, c.announced, c.withdrawn, c.attributes, c.errors, c.digest)
}

func (c *counts) add(msg *bmp.BMPMessage, err error) {
	c.messages++
	if err != nil {
		c.errors++
		return
	}
	body, ok := msg.Body.(*bmp.BMPRouteMonitoring)
	if !ok {
		return
	}
	update, ok := body.BGPUpdate.Body.(*bgp.BGPUpdate)
	if !ok {
		c.errors++
		return
	}
	c.routes(update.WithdrawnRoutes, false)
	c.routes(update.NLRI, true)
	c.attributes += uint64(len(update.PathAttributes))
	for _, attribute := range update.PathAttributes {
		c.attribute(attribute)
	}
}

func (c *counts) routes(routes []bgp.PathNLRI, announcement bool) {
	weight := uint64(withdrawn)
	if announcement {
		c.announced += uint64(len(routes))
		weight = announced
	} else {
		c.withdrawn += uint64(len(routes))
	}
	for _, route := range routes {
		if prefix, ok := route.NLRI.(*bgp.IPAddrPrefix); ok {
			high, low := address(prefix.Prefix.Addr())
			h := (high*factor+low)*factor + uint64(prefix.Prefix.Bits())
			c.digest += (h*factor + uint64(route.ID)) * weight
		}
	}
}

func (c *counts) attribute(attribute bgp.PathAttributeInterface) {
	h := uint64(0)
	switch a := attribute.(type) {
	case *bgp.PathAttributeOrigin:
		h = uint64(a.Value)
	case *bgp.PathAttributeAsPath:
		for _, segment := range a.Value {
			// Not ASLen(): a set is one hop to it.
			asns := segment.GetAS()
			h = (h*factor+uint64(segment.GetType()))*factor + uint64(len(asns))
			for _, asn := range asns {
				h = h*factor + uint64(asn)
			}
		}
	case *bgp.PathAttributeNextHop:
		_, h = address(a.Value)
	case *bgp.PathAttributeMultiExitDisc:
		h = uint64(a.Value)
	case *bgp.PathAttributeLocalPref:
		h = uint64(a.Value)
	case *bgp.PathAttributeCommunities:
		for _, community := range a.Value {
			h = h*factor + uint64(community)
		}
	case *bgp.PathAttributeExtendedCommunities:
		for _, community := range a.Value {
			bytes, _ := community.Serialize()
			h = h*factor + binary.BigEndian.Uint64(bytes)
		}
	case *bgp.PathAttributeLargeCommunities:
		for _, community := range a.Values {
			h = h*factor + uint64(community.ASN)
			h = h*factor + uint64(community.LocalData1)
			h = h*factor + uint64(community.LocalData2)
		}
	case *bgp.PathAttributeMpReachNLRI:
		c.routes(a.Value, true)
		high, low := address(a.Nexthop)
		h = high*factor + low
	case *bgp.PathAttributeMpUnreachNLRI:
		c.routes(a.Value, false)
	}
	c.digest += h * (2*uint64(attribute.GetType()) + 1)
}

func address(a netip.Addr) (uint64, uint64) {
	if a.Is4() {
		bytes := a.As4()
		return 0, uint64(binary.BigEndian.Uint32(bytes[:]))
	}
	if !a.IsValid() {
		return 0, 0
	}
	bytes := a.As16()
	return binary.BigEndian.Uint64(bytes[:8]), binary.BigEndian.Uint64(bytes[8:])
}
