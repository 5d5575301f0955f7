package dev.silkroute.capture;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/** The compression of a capture, determined from its first bytes. Concatenated compressed files are read as one. */
enum Compression {
    NONE("plain"),
    GZIP("gzip"),
    BZIP2("bzip2");

    /** The number of bytes needed to determine the compression. */
    static final int MAGIC = 4;

    private static final int BUFFER = 64 * 1024;

    private final String text;

    Compression(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static Compression of(PushbackInputStream in) throws IOException {
        byte[] magic = in.readNBytes(MAGIC);
        in.unread(magic);
        if (magic.length >= 2 && magic[0] == 0x1f && (magic[1] & 0xff) == 0x8b) {
            return GZIP;
        }
        boolean bzip2 = magic.length == MAGIC && magic[0] == 'B' && magic[1] == 'Z' && magic[2] == 'h';
        return bzip2 && magic[3] >= '1' && magic[3] <= '9' ? BZIP2 : NONE;
    }

    /**
     * Returns the decompressed stream. It throws EOFException if the data is truncated and ZipException if it is
     * damaged.
     */
    InputStream open(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER);
            case BZIP2 -> new Bzip2(in);
        };
    }

    /** Distinguishes truncation from damage by whether the compressed data was read to its end. */
    private static final class Bzip2 extends FilterInputStream {
        private final End end;

        Bzip2(InputStream in) throws IOException {
            this(new End(in));
        }

        private Bzip2(End end) throws IOException {
            super(unpack(end));
            this.end = end;
        }

        private static InputStream unpack(End end) throws IOException {
            try {
                return new BZip2CompressorInputStream(end, true);
            } catch (IOException | RuntimeException e) {
                throw end.failure(e);
            }
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return super.read(into, from, length);
            } catch (IOException | RuntimeException e) {
                throw end.failure(e);
            }
        }
    }

    private static final class End extends FilterInputStream {
        private boolean reached;

        End(InputStream in) {
            super(in);
        }

        /** Accepts any exception because the library may exceed its arrays if the data is damaged. */
        private IOException failure(Exception e) {
            return reached ? new EOFException() : new ZipException(String.valueOf(e.getMessage()));
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            reached |= read < 0;
            return read;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            reached |= read < 0;
            return read;
        }
    }
}
