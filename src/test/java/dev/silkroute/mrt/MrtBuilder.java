package dev.silkroute.mrt;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes MRT files record by record. */
final class MrtBuilder {
    /** A peer of a table. */
    record Peer(String address, int asn, String bgpId) {}

    /** A route of a table; without a path identifier where that is null. */
    record Entry(int peer, long originated, Integer pathId, byte[] attributes) {}

    private final ByteSink out = new ByteSink();
    private long micros = 1_700_000_000_000_000L;
    private boolean extended;
    private int sequence;

    /** The time of what follows. */
    MrtBuilder at(long timeMicros) {
        micros = timeMicros;
        return this;
    }

    /** BGP4MP records that follow are BGP4MP_ET, with microseconds. */
    MrtBuilder extended() {
        extended = true;
        return this;
    }

    MrtBuilder record(int type, int subtype, byte[] body) {
        boolean et = type == MrtRecord.BGP4MP && extended;
        out.u32((int) (micros / 1_000_000)).u16(et ? MrtRecord.BGP4MP_ET : type).u16(subtype);
        out.u32(body.length + (et ? 4 : 0));
        if (et) {
            out.u32((int) (micros % 1_000_000));
        }
        out.bytes(body, 0, body.length);
        return this;
    }

    MrtBuilder peers(String collectorId, String view, List<Peer> peers) {
        byte[] name = view.getBytes(StandardCharsets.UTF_8);
        ByteSink body =
                new ByteSink().bytes(address(collectorId)).u16(name.length).bytes(name, 0, name.length);
        body.u16(peers.size());
        for (Peer peer : peers) {
            boolean wide = peer.asn() >>> 16 != 0;
            body.u8((peer.address().contains(":") ? 1 : 0) | (wide ? 2 : 0)).bytes(address(peer.bgpId()));
            body.bytes(address(peer.address()));
            if (wide) {
                body.u32(peer.asn());
            } else {
                body.u16(peer.asn());
            }
        }
        return record(MrtRecord.TABLE_DUMP_V2, TableDump.PEER_INDEX_TABLE, body.toByteArray());
    }

    /** Routes of a prefix, of one of the subtypes with a family of their own. */
    MrtBuilder routes(int subtype, byte[] nlri, Entry... entries) {
        ByteSink body = new ByteSink().u32(sequence++).bytes(nlri, 0, nlri.length);
        entries(body, entries);
        return record(MrtRecord.TABLE_DUMP_V2, subtype, body.toByteArray());
    }

    /** Routes of any family. */
    MrtBuilder generic(int subtype, int afi, int safi, byte[] nlri, Entry... entries) {
        ByteSink body = new ByteSink().u32(sequence++).u16(afi).u8(safi).bytes(nlri, 0, nlri.length);
        entries(body, entries);
        return record(MrtRecord.TABLE_DUMP_V2, subtype, body.toByteArray());
    }

    private static void entries(ByteSink body, Entry... entries) {
        body.u16(entries.length);
        for (Entry entry : entries) {
            body.u16(entry.peer()).u32((int) entry.originated());
            if (entry.pathId() != null) {
                body.u32(entry.pathId());
            }
            body.u16(entry.attributes().length).bytes(entry.attributes(), 0, entry.attributes().length);
        }
    }

    /** A BGP message; the subtype determines whether AS numbers have four octets. */
    MrtBuilder message(int subtype, String peer, int asn, String local, int localAsn, byte[] message) {
        boolean wide = subtype == 4 || subtype == 7 || subtype == 9 || subtype == 11;
        ByteSink body = header(wide, peer, asn, local, localAsn).bytes(message, 0, message.length);
        return record(MrtRecord.BGP4MP, subtype, body.toByteArray());
    }

    MrtBuilder state(String peer, int asn, String local, int localAsn, int before, int after) {
        ByteSink body = header(true, peer, asn, local, localAsn).u16(before).u16(after);
        return record(MrtRecord.BGP4MP, 5, body.toByteArray());
    }

    private static ByteSink header(boolean wide, String peer, int asn, String local, int localAsn) {
        ByteSink body = new ByteSink();
        for (int one : new int[] {asn, localAsn}) {
            if (wide) {
                body.u32(one);
            } else {
                body.u16(one);
            }
        }
        return body.u16(0).u16(peer.contains(":") ? 2 : 1).bytes(address(peer)).bytes(address(local));
    }

    private static Bytes address(String text) {
        return Bytes.of(InetAddress.ofLiteral(text).getAddress());
    }

    /** {@code 192.0.2.0/24} as it stands in an NLRI field. */
    static byte[] prefix(String text) {
        String[] parts = text.split("/");
        int length = Integer.parseInt(parts[1]);
        byte[] address = InetAddress.ofLiteral(parts[0]).getAddress();
        return new ByteSink().u8(length).bytes(address, 0, (length + 7) / 8).toByteArray();
    }

    int length() {
        return out.position();
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    Path write(Path file) {
        return write(file, bytes());
    }

    static Path write(Path file, byte[] bytes) {
        try {
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
