package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFormat;
import dev.silkroute.capture.CaptureInput;
import dev.silkroute.capture.RawFormat;
import dev.silkroute.capture.SessionSource;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The packet capture formats. */
public enum PacketFormat implements CaptureFormat {
    PCAP {
        @Override
        boolean isMagic(int magic) {
            return PcapReader.isMagic(magic);
        }

        @Override
        PacketReader reader(CaptureInput input) throws CaptureException {
            return new PcapReader(input);
        }
    },
    PCAPNG {
        @Override
        boolean isMagic(int magic) {
            return magic == PcapngReader.SECTION_HEADER;
        }

        @Override
        PacketReader reader(CaptureInput input) throws CaptureException {
            return new PcapngReader(input);
        }
    };

    /** The packet capture formats and {@link RawFormat}: every format that contains BMP itself. */
    public static final List<CaptureFormat> AND_RAW = List.of(PCAP, PCAPNG, new RawFormat());

    abstract boolean isMagic(int magic);

    abstract PacketReader reader(CaptureInput input) throws CaptureException;

    @Override
    public boolean recognizes(byte[] first) {
        return first.length >= Integer.BYTES && isMagic(ByteBuffer.wrap(first).getInt());
    }

    @Override
    public SessionSource open(Path file) {
        return new PacketSource(file, this);
    }
}
