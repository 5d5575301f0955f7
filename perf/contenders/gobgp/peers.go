package main

import (
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/packet/bgp"
	"github.com/osrg/gobgp/v4/pkg/packet/bmp"
)

// The capabilities that the OPENs of each peer's Peer Up have in common, in the form that GoBGP's decoder requires.
type peerOptions map[peerKey][]*bgp.MarshallingOption

type peerKey struct {
	kind          uint8
	adjRibOut     bool
	distinguisher uint64
	address       netip.Addr
	asn           uint32
}

func key(header *bmp.BMPPeerHeader, adjRibOut bool) peerKey {
	return peerKey{header.PeerType, adjRibOut, header.PeerDistinguisher, header.PeerAddress, header.PeerAS}
}

// Decodes a message of the session.
func (peers peerOptions) parse(frame []byte) (*bmp.BMPMessage, error) {
	msg, err := bmp.ParseBMPMessageWithOptions(frame, peers.of)
	if err == nil && msg.Header.Type == bmp.BMP_MSG_PEER_UP_NOTIFICATION {
		peers.up(msg)
	}
	return msg, err
}

func (peers peerOptions) of(header bmp.BMPPeerHeader) []*bgp.MarshallingOption {
	return peers[key(&header, header.PeerType != bmp.BMP_PEER_TYPE_LOCAL_RIB && header.IsAdjRIBOut())]
}

func (peers peerOptions) up(msg *bmp.BMPMessage) {
	up := msg.Body.(*bmp.BMPPeerUpNotification)
	sent, received := addPath(up.SentOpenMsg), addPath(up.ReceivedOpenMsg)
	locRib := msg.PeerHeader.PeerType == bmp.BMP_PEER_TYPE_LOCAL_RIB
	for _, out := range []bool{false, true} {
		families := map[bgp.Family]bgp.BGPAddPathMode{}
		for family, mode := range sent {
			other := received[family]
			in := mode&bgp.BGP_ADD_PATH_RECEIVE != 0 && other&bgp.BGP_ADD_PATH_SEND != 0
			if out {
				in = mode&bgp.BGP_ADD_PATH_SEND != 0 && other&bgp.BGP_ADD_PATH_RECEIVE != 0
			}
			if in || locRib {
				families[family] = bgp.BGP_ADD_PATH_RECEIVE
			}
		}
		// A flag: AS_PATH in two octets (RFC 7854, Section 4.2).
		legacy := !locRib && msg.PeerHeader.Flags&bmp.BMP_PEER_FLAG_TWO_AS != 0
		var options []*bgp.MarshallingOption
		if len(families) > 0 || legacy {
			options = []*bgp.MarshallingOption{{AddPath: families, Use2ByteAS: legacy}}
		}
		peers[key(&msg.PeerHeader, out)] = options
	}
}

func addPath(open *bgp.BGPMessage) map[bgp.Family]bgp.BGPAddPathMode {
	families := map[bgp.Family]bgp.BGPAddPathMode{}
	body, ok := open.Body.(*bgp.BGPOpen)
	if !ok {
		return families
	}
	for _, parameter := range body.OptParams {
		capabilities, ok := parameter.(*bgp.OptionParameterCapability)
		if !ok {
			continue
		}
		for _, capability := range capabilities.Capability {
			if modes, ok := capability.(*bgp.CapAddPath); ok {
				for _, tuple := range modes.Tuples {
					families[tuple.Family] = tuple.Mode
				}
			}
		}
	}
	return families
}
