package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;

/** Reads completely what a decoder has accepted, which must not throw. */
final class Reading {
    /** Families with their own format, and some without. */
    static final int[] FAMILIES = {
        Family.IPV4_UNICAST,
        Family.IPV6_UNICAST,
        Family.IPV4_MULTICAST,
        Family.IPV4_LABELED_UNICAST,
        Family.IPV6_LABELED_UNICAST,
        Family.VPNV4,
        Family.VPNV6,
        Family.VPNV4_MULTICAST,
        Family.VPNV6_MULTICAST,
        Family.RT_CONSTRAINT,
        Family.IPV4_FLOWSPEC,
        Family.IPV6_FLOWSPEC,
        Family.VPNV4_FLOWSPEC,
        Family.VPNV6_FLOWSPEC,
        Family.EVPN,
        Family.VPLS,
        Family.BGP_LS,
        Family.BGP_LS_VPN,
        Family.of(1, 73),
        Family.of(2, 73),
        Family.of(1, 5),
        Family.of(3, 99),
    };

    private static final AddPathFamilies WITH_PATHS = AddPathFamilies.of(FAMILIES);
    private static final JsonFactory JSON = new JsonFactory();

    private Reading() {}

    /**
     * Returns a context by number: bit 0 selects the AS number size, bit 1 path identifiers, bit 2 learned settings.
     */
    static UpdateContext context(int number) {
        return new UpdateContext(
                (number & 1) == 0,
                (number & 2) == 0 ? AddPathFamilies.NONE : WITH_PATHS,
                (number & 4) == 0 ? AddPathPolicy.STRICT : AddPathPolicy.HEURISTIC);
    }

    /** Decodes one BGP message. Returns false if the decoder rejected it, with an offset within the message. */
    static boolean update(UpdateDecoder decoder, byte[] b, int from, int to, UpdateContext context) {
        try {
            decoder.decode(b, from, to, context);
        } catch (DecodeException e) {
            inside(e, from, to);
            return false;
        }
        decoder.outcomes().forEach(outcome -> assertThat(outcome.offset()).isBetween(from, to));
        for (int section = 0; section < decoder.sections(); section++) {
            assertThat(decoder.from(section)).isBetween(from, to);
            assertThat(decoder.to(section)).isBetween(decoder.from(section), to);
            int count = nlri(
                    decoder.family(section),
                    b,
                    decoder.from(section),
                    decoder.to(section),
                    decoder.addPath(section),
                    !decoder.announcedForm(section));
            assertThat(count).isEqualTo(decoder.count(section)).isPositive();
            if (decoder.announces(section)) {
                ByteSink set = new ByteSink();
                decoder.writeAttributes(section, set);
                attributes(PathAttributes.decode(set.array(), 0, set.position()), set.array(), set.position());
            }
        }
        return true;
    }

    /** Reads an accepted field. Returns the number of NLRI. */
    static int nlri(int family, byte[] b, int from, int to, boolean addPath, boolean withdrawal) {
        NlriReader reader = new NlriReader();
        int count = 0;
        for (int at = from; at < to; count++) {
            reader.read(family, b, at, to, addPath, withdrawal);
            assertThat(reader.to()).isBetween(at + 1, to);
            assertThat(NlriFormat.end(family, b, at, to, addPath, withdrawal)).isEqualTo(reader.to());
            fields(family, reader);
            if (!withdrawal) {
                assertThat(NlriText.of(family, b, reader.from(), reader.to())).isNotEmpty();
            }
            at = reader.to();
        }
        return count;
    }

    private static void fields(int family, NlriReader reader) {
        assertThat(reader.isPrefix()).isEqualTo(NlriFormat.isPrefix(family));
        if (!reader.isPrefix()) {
            return;
        }
        assertThat(reader.prefixLength()).isBetween(0, reader.ipv6() ? 128 : 32);
        assertThat(Addresses.prefix(reader.ipv6(), reader.addressHigh(), reader.addressLow(), reader.prefixLength()))
                .endsWith("/" + reader.prefixLength());
        for (int i = 0; i < reader.labelCount(); i++) {
            assertThat(reader.label(i)).isBetween(0, 0xF_FFFF);
        }
        if (reader.hasRd()) {
            assertThat(RouteDistinguisher.text(reader.rd())).isNotEmpty();
        }
    }

    /** Reads all fields of a set and checks that encoding it yields the same bytes. */
    static void attributes(PathAttributes set, byte[] canonical, int length) {
        ByteSink again = new ByteSink();
        for (int type : set.types()) {
            byte[] value = set.value(type).orElseThrow().toArray();
            again.u8(set.flags(type)).u8(type).u16(value.length).bytes(value, 0, value.length);
        }
        assertThat(again.position()).isEqualTo(length);
        assertThat(Arrays.equals(again.array(), 0, length, canonical, 0, length))
                .isTrue();
        AsPath path = set.asPath();
        if (path != null) {
            assertThat(path.asns()).isEqualTo(set.asns());
            assertThat(path.text()).isNotNull();
            path.originAsn();
        }
        NextHop hop = set.nextHop();
        if (hop != null) {
            assertThat(hop.text()).isNotEmpty();
            assertThat(hop.linkLocalText()).isNotNull();
        }
        set.med();
        set.localPref();
        set.family();
        set.communities();
        set.largeCommunities();
        set.extendedCommunities();
        set.ipv6ExtendedCommunities();
        json(set.toJson());
    }

    /** Reads one record of the routes lane. Returns the number of events. */
    static int batch(RouteBatch batch) {
        for (int i = 0; i < batch.attributeSetCount(); i++) {
            assertThat(batch.attributesFrom(i)).isBetween(0, batch.bytes().length);
            assertThat(batch.attributesTo(i)).isBetween(batch.attributesFrom(i), batch.bytes().length);
        }
        int events = 0;
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            events++;
            assertThat(cursor.peerIndex()).isBetween(-1, batch.peerCount() - 1);
            assertThat(cursor.attributeSet()).isBetween(-1, batch.attributeSetCount() - 1);
            assertThat(cursor.kind() == EventKind.ANNOUNCE).isEqualTo(cursor.attributeSet() >= 0);
            assertThat(Family.text(cursor.family())).isNotEmpty();
            if (cursor.peerIndex() >= 0) {
                PeerEntry peer = batch.peer(cursor.peerIndex());
                assertThat(Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()))
                        .isNotEmpty();
            }
            if (cursor.kind().isRoute()) {
                fields(cursor.family(), cursor.nlri());
            }
        }
        assertThat(events).isEqualTo(batch.eventCount());
        return events;
    }

    static void inside(DecodeException e, int from, int to) {
        assertThat(e.offset()).as(e.getMessage()).isBetween(from, to);
        assertThat(e.reason()).isNotEmpty();
        assertThat(e.section()).isNotEmpty();
    }

    static void json(String text) {
        try (JsonParser parser = JSON.createParser(new StringReader(text))) {
            while (parser.nextToken() != null) {
                assertThat(parser.currentToken()).isNotNull();
            }
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }
}
