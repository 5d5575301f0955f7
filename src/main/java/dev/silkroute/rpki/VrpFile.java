package dev.silkroute.rpki;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.silkroute.net.IpPrefix;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files in which Routinator ({@code json}, {@code csv}) and rpki-client ({@code -j}, {@code -c}) export
 * VRPs and ASPAs.
 *
 * <p>JSON is an object with an array {@code roas} of objects with {@code prefix}, {@code maxLength} and {@code asn},
 * a number or a string such as {@code AS64500}, and may have an array {@code aspas} of objects with {@code
 * customer_asid} (rpki-client) or {@code customer} (Routinator) and {@code providers}; other fields are ignored. CSV
 * has a header line and the columns {@code ASN}, {@code IP Prefix} and {@code Max Length}.
 */
public final class VrpFile {
    private static final JsonFactory JSON = new JsonFactory();
    /** Six times the number of VRPs in the world in 2026. A file with more of them is none that a validator exports. */
    public static final int MAX_VRPS = 5_000_000;

    private static final int BUFFER = 1 << 16;

    private VrpFile() {}

    /**
     * The content of a file.
     *
     * @param rejectedAspas number of entries of {@code aspas} that are not ASPAs. Their format is not standardized, so
     *     one that is not known does not make the VRPs unusable
     */
    public record Content(VrpTable vrps, List<Aspa> aspas, int rejectedAspas) {}

    /**
     * Reads a file; its first character distinguishes JSON from CSV.
     *
     * @throws IOException if the file cannot be read, or contains an entry that is not a VRP; the message names the
     *     file and the line
     */
    public static Content read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            in.mark(1);
            int first = in.read();
            in.reset();
            return first == '{' ? json(file, in) : new Content(csv(file, in), List.of(), 0);
        }
    }

    private static Content json(Path file, InputStream in) throws IOException {
        VrpTable.Builder vrps = new VrpTable.Builder();
        AspaEntries aspas = new AspaEntries();
        try (JsonParser json = JSON.createParser(in)) {
            json.nextToken();
            boolean found = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("roas") && value == JsonToken.START_ARRAY) {
                    found = true;
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        int line = json.currentLocation().getLineNr();
                        add(vrps, entry(json), file, line);
                    }
                } else if (name.equals("aspas") && value == JsonToken.START_ARRAY) {
                    aspas.read(json, file);
                } else {
                    json.skipChildren();
                }
            }
            if (!found) {
                throw new IOException(file + ": there is no array \"roas\"");
            }
        } catch (JsonParseException e) {
            throw new IOException(
                    file + ", line " + e.getLocation().getLineNr() + ": invalid JSON: " + e.getOriginalMessage(), e);
        }
        return aspas.contentWith(vrps.build());
    }

    /** The fields of a VRP as text; null where there is none. */
    record Entry(
            @Nullable String prefix,
            @Nullable String maxLength,
            @Nullable String asn) {
        /** @throws IllegalArgumentException if a field is missing or not valid */
        Vrp toVrp() {
            if (prefix == null || asn == null) {
                throw new IllegalArgumentException("a VRP has no " + (prefix == null ? "prefix" : "AS number"));
            }
            IpPrefix parsed = IpPrefix.parse(prefix);
            return new Vrp(
                    parsed,
                    maxLength == null || maxLength.isEmpty() ? parsed.length() : number(maxLength),
                    Vrp.parseAsn(asn));
        }

        private static int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is not a valid maximum length", e);
            }
        }
    }

    /** Reads an object with the fields of a VRP to its end. */
    private static Entry entry(JsonParser json) throws IOException {
        String prefix = null;
        String maxLength = null;
        String asn = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "prefix" -> prefix = json.getValueAsString();
                case "maxLength" -> maxLength = json.getValueAsString();
                case "asn" -> asn = json.getValueAsString();
                default -> json.skipChildren();
            }
        }
        return new Entry(prefix, maxLength, asn);
    }

    private static VrpTable csv(Path file, InputStream in) throws IOException {
        VrpTable.Builder vrps = new VrpTable.Builder();
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .setAllowMissingColumnNames(true)
                .setIgnoreHeaderCase(true)
                .setTrim(true)
                .get();
        try (CSVParser lines = format.parse(new InputStreamReader(in, UTF_8.newDecoder()))) {
            for (String column : List.of("ASN", "IP Prefix", "Max Length")) {
                if (!lines.getHeaderMap().containsKey(column)) {
                    throw new IOException(file + ": the header line has no column \"" + column + '"');
                }
            }
            for (CSVRecord line : lines) {
                add(
                        vrps,
                        new Entry(value(line, "IP Prefix"), value(line, "Max Length"), value(line, "ASN")),
                        file,
                        lines.getCurrentLineNumber());
            }
        } catch (CharacterCodingException e) {
            throw invalidCsv(file, e);
        } catch (UncheckedIOException e) {
            throw invalidCsv(file, Objects.requireNonNull(e.getCause()));
        }
        return vrps.build();
    }

    private static IOException invalidCsv(Path file, IOException e) {
        String reason = e instanceof CharacterCodingException ? "the text is not UTF-8" : e.getMessage();
        return new IOException(file + ": invalid CSV: " + reason, e);
    }

    private static @Nullable String value(CSVRecord line, String column) {
        return line.isSet(column) ? line.get(column) : null;
    }

    private static void add(VrpTable.Builder vrps, Entry entry, Path file, long line) throws IOException {
        if (vrps.size() == MAX_VRPS) {
            throw new IOException(file + ": more than " + MAX_VRPS + " VRPs");
        }
        try {
            vrps.add(entry.toVrp());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ", line " + line + ": " + e.getMessage(), e);
        }
    }
}
