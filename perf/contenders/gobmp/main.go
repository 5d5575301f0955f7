// Runs gobmp's parser, producer and file publisher on one BMP session. They are put together as in gobmp's own program,
// which is not used because it listens on all addresses of the machine.
//
//	collect-gobmp FILE   writes a JSON object for each route to the file
//
// Reports its address at the beginning, and ends when the session is closed.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"

	"github.com/golang/glog"
	"github.com/sbezverk/gobmp/pkg/bmp"
	"github.com/sbezverk/gobmp/pkg/filer"
	"github.com/sbezverk/gobmp/pkg/message"
	"github.com/sbezverk/gobmp/pkg/parser"
)

const maxMessage = 1 << 20

func main() {
	// As gobmp's program does
	runtime.GOMAXPROCS(1)
	flag.Parse()
	_ = flag.Set("logtostderr", "true")
	if err := collect(flag.Arg(0)); err != nil {
		glog.Exit(err)
	}
}

func collect(file string) error {
	publisher, err := filer.NewFiler(file)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "listening on", listener.Addr())
	session, err := listener.Accept()
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	parsed := make(chan bmp.Message)
	frames := make(chan []byte)
	go message.NewProducer(publisher, true).Producer(parsed, stop)
	go parser.NewParser(frames, parsed, stop, nil).Start()
	err = read(bufio.NewReader(session), frames)
	close(stop)
	publisher.Stop()
	return err
}

// Each message is handed over in an array of its own, because the parser works on several at a time.
func read(session io.Reader, frames chan<- []byte) error {
	var header [bmp.CommonHeaderLength]byte
	for {
		if _, err := io.ReadFull(session, header[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		length := binary.BigEndian.Uint32(header[1:])
		if length < bmp.CommonHeaderLength || length > maxMessage {
			return fmt.Errorf("a BMP message of %d bytes", length)
		}
		frame := make([]byte, length)
		copy(frame, header[:])
		if _, err := io.ReadFull(session, frame[bmp.CommonHeaderLength:]); err != nil {
			return err
		}
		frames <- frame
	}
}
