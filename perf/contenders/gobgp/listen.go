package main

import (
	"bufio"
	"fmt"
	"net"

	"github.com/osrg/gobgp/v4/pkg/packet/bmp"
)

const maxMessage = 1 << 20

// Accepts one BMP session on a free port of the loopback address, decodes its messages as they arrive, and reads every
// field. Reports its address at the beginning, and the counts and the digest when the session is closed.
func listen() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	session, err := listener.Accept()
	if err != nil {
		return err
	}
	peers := peerOptions{}
	var c counts
	messages := bufio.NewScanner(session)
	messages.Buffer(make([]byte, 1<<16), maxMessage)
	messages.Split(bmp.SplitBMP)
	for messages.Scan() {
		c.add(peers.parse(messages.Bytes()))
	}
	fmt.Println(c.String())
	return messages.Err()
}
