package dev.silkroute.names;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;

/**
 * Reads labels from CSV. The header line has the columns {@code router} and {@code peer}, and a column for each label.
 * A line with a router alone labels the router, one with a peer alone labels the peer of this address at every router,
 * and one with both labels the peer of this router. Lines that begin with {@code #} are comments.
 */
public final class LabelFile {
    /** Twice the number of sessions that a station admits by default. */
    public static final int MAX_LINES = 20_000;

    private static final int MAX_BYTES = 8 << 20;
    private static final int MAX_LABELS = 32;
    private static final int MAX_NAME = 256;
    private static final int MAX_VALUE = 128;
    private static final String ROUTER = "router";
    private static final String PEER = "peer";
    private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    private final Map<String, Map<String, String>> routers = new HashMap<>();
    private final Map<String, Map<String, String>> peers = new HashMap<>();
    private final Map<String, Map<String, String>> routersPeers = new HashMap<>();

    private LabelFile() {}

    /**
     * Reads a file.
     *
     * @throws IOException if the file cannot be read, exceeds a bound or is not valid; the message names the file and
     *     the line
     */
    public static Labels read(Path file) throws IOException {
        var labels = new LabelFile();
        var format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
                .setCommentMarker('#')
                .setTrim(true)
                .get();
        try (Reader reader = NameFiles.open(file, MAX_BYTES);
                CSVParser lines = format.parse(reader)) {
            labels.read(lines);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        return new Labels(labels.routers, labels.peers, labels.routersPeers);
    }

    private void read(CSVParser lines) {
        var columns = lines.getHeaderNames();
        var names = columns.stream()
                .filter(name -> !name.equals(ROUTER) && !name.equals(PEER))
                .toList();
        if (columns.size() - names.size() != 2) {
            throw new IllegalArgumentException("the header line must have the columns router and peer");
        }
        if (names.size() > MAX_LABELS) {
            throw new IllegalArgumentException("there are more than " + MAX_LABELS + " labels");
        }
        names.stream().filter(name -> !LABEL.matcher(name).matches()).forEach(name -> {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a valid label: a letter, and up to 62 letters, digits, '-' or '_'");
        });
        for (var line : lines) {
            try {
                add(line, names);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + lines.getCurrentLineNumber() + ": " + e.getMessage(), e);
            }
        }
    }

    private static String address(String text) {
        var address = IpPrefix.parse(text);
        if (text.indexOf('/') >= 0) {
            throw new IllegalArgumentException("'" + text + "' is a prefix, not an address");
        }
        return Addresses.text(address.ipv6(), address.high(), address.low());
    }

    private void add(CSVRecord line, List<String> names) {
        if (line.getRecordNumber() > MAX_LINES) {
            throw new IllegalArgumentException("there are more than " + MAX_LINES + " lines");
        }
        if (!line.isConsistent()) {
            throw new IllegalArgumentException(
                    "there are " + line.size() + " columns, the header line has " + (names.size() + 2));
        }
        var router = NameFiles.checked(line.get(ROUTER), MAX_NAME);
        var peer = line.get(PEER).isEmpty() ? "" : address(line.get(PEER));
        Map<String, String> labels = new TreeMap<>();
        for (var name : names) {
            var value = NameFiles.checked(line.get(name), MAX_VALUE);
            if (!value.isEmpty()) {
                labels.put(name, value);
            }
        }
        if (router.isEmpty() && peer.isEmpty()) {
            throw new IllegalArgumentException("there is neither a router nor a peer");
        }
        var before = peer.isEmpty()
                ? routers.put(router, labels)
                : router.isEmpty() ? peers.put(peer, labels) : routersPeers.put(Labels.key(router, peer), labels);
        if (before != null) {
            throw new IllegalArgumentException("this router and peer were labelled before");
        }
    }
}
