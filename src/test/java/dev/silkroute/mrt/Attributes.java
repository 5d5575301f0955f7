package dev.silkroute.mrt;

import dev.silkroute.bgp.attribute.AsPaths;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.attribute.MoreAttributes;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.net.InetAddress;
import java.util.function.Consumer;

/** Attributes and UPDATEs as MRT files hold them. */
final class Attributes {
    private Attributes() {}

    /** ORIGIN and AS_PATH, and what else there shall be. */
    static byte[] of(String path, Consumer<AttributesEncoder> more) {
        ByteSink out = new ByteSink();
        AttributesEncoder encoder = new AttributesEncoder(out, true);
        encoder.origin(Origin.IGP).asPath(AsPaths.parse(path));
        more.accept(encoder);
        encoder.end();
        return out.toByteArray();
    }

    /** An IPv4 route. */
    static byte[] via(String nextHop, String path) {
        return of(path, encoder -> encoder.nextHop(bytes(nextHop).i32(0)));
    }

    /** MP_REACH_NLRI in the form that RFC 6396 specifies for tables: the next hop and its length. */
    static byte[] cut(String nextHop, String path) {
        return of(path, encoder -> encoder.attribute(14, nextHop(nextHop)));
    }

    static Bytes nextHop(String address) {
        Bytes bytes = bytes(address);
        return Bytes.of(new ByteSink().u8(bytes.length()).bytes(bytes).toByteArray());
    }

    static Bytes bytes(String address) {
        return Bytes.of(InetAddress.ofLiteral(address).getAddress());
    }

    /** An UPDATE that announces an IPv4 prefix. */
    static byte[] announce(boolean fourOctetAs, Integer pathId, String prefix, String nextHop, String path) {
        ByteSink out = new ByteSink();
        UpdateEncoder update = new UpdateEncoder(out, fourOctetAs, false).begin();
        update.attributes()
                .origin(Origin.IGP)
                .asPath(AsPaths.parse(path))
                .nextHop(bytes(nextHop).i32(0));
        update.nlri().raw(nlri(pathId, prefix)).end();
        return out.toByteArray();
    }

    /** One that announces a prefix of any family. */
    static byte[] reach(int family, Integer pathId, String prefix, String nextHop, String path) {
        ByteSink out = new ByteSink();
        UpdateEncoder update = new UpdateEncoder(out, true, false).begin();
        MoreAttributes.mpReach(update.attributes(), family, bytes(nextHop), nlri(pathId, prefix))
                .origin(Origin.IGP)
                .asPath(AsPaths.parse(path));
        update.end();
        return out.toByteArray();
    }

    static byte[] withdraw(Integer pathId, String prefix) {
        ByteSink out = new ByteSink();
        new UpdateEncoder(out, true, false).begin().raw(nlri(pathId, prefix)).end();
        return out.toByteArray();
    }

    private static Bytes nlri(Integer pathId, String prefix) {
        ByteSink nlri = new ByteSink();
        if (pathId != null) {
            nlri.u32(pathId);
        }
        return Bytes.of(nlri.bytes(Bytes.of(MrtBuilder.prefix(prefix))).toByteArray());
    }
}
