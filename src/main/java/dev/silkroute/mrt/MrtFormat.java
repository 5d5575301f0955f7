package dev.silkroute.mrt;

import dev.silkroute.capture.CaptureFormat;
import dev.silkroute.capture.SessionSource;
import dev.silkroute.net.BigEndian;
import java.nio.file.Path;

/** MRT files (RFC 6396). They have no magic number; the header of the first record must be plausible. */
public final class MrtFormat implements CaptureFormat {
    private static final int MAX_SUBTYPE = 12;

    @Override
    public boolean recognizes(byte[] first) {
        return first.length >= MrtRecord.HEADER
                && isType(BigEndian.u16(first, 4))
                && BigEndian.u16(first, 6) <= MAX_SUBTYPE
                && BigEndian.u32(first, 8) <= MrtRecord.MAX_LENGTH;
    }

    /** RFC 6396, Section 4, and TABLE_DUMP, the form before TABLE_DUMP_V2. */
    private static boolean isType(int type) {
        return switch (type) {
            case 11, MrtRecord.TABLE_DUMP, MrtRecord.TABLE_DUMP_V2, MrtRecord.BGP4MP, MrtRecord.BGP4MP_ET -> true;
            case 32, 33, 48, 49 -> true;
            default -> false;
        };
    }

    @Override
    public SessionSource open(Path file) {
        return new MrtSource(file);
    }
}
