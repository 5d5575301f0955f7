package dev.silkroute.app.management;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The users of the management interface: a file with lines {@code NAME=ROLE:PASSWORD}, role {@code viewer} or
 * {@code operator}. Blank lines and those that start with {@code #} are ignored. Others than the owner and the group
 * must not be able to read it.
 *
 * <p>The station keeps digests instead of the passwords.
 */
final class UsersFile {
    /** The realm of Quarkus's embedded users, part of each digest. */
    private static final String REALM = "Quarkus";

    private static final String SETTINGS = "quarkus.security.users.embedded.";
    private static final Pattern LINE = Pattern.compile("(?<name>[A-Za-z0-9_-]+)=(?<role>[a-z]+):(?<password>.+)");
    private static final int MINIMUM_LENGTH = 12;

    private UsersFile() {}

    /** Returns the users as settings of Quarkus's security. */
    static Map<String, String> read(Path file) {
        var settings = new TreeMap<String, String>();
        settings.put(SETTINGS + "plain-text", "false");
        settings.put(SETTINGS + "algorithm", "digest-sha-256");
        var lines = lines(file);
        for (int i = 0; i < lines.length; i++) {
            if (!lines[i].isBlank() && !lines[i].startsWith("#")) {
                add(settings, lines[i], file + ", line " + (i + 1));
            }
        }
        return settings;
    }

    private static String[] lines(Path file) {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                throw new OperatorError(
                        "every user of this machine can read " + file + ", which contains passwords: use chmod o-r");
            }
            return Files.readString(file).split("\r?\n");
        } catch (IOException e) {
            throw new OperatorError("cannot read the users from " + file + ": " + OperatorError.reason(e), e);
        }
    }

    private static void add(Map<String, String> settings, String line, String place) {
        var matcher = LINE.matcher(line.strip());
        if (!matcher.matches()) {
            throw new OperatorError(place + ": NAME=ROLE:PASSWORD is required");
        }
        var name = matcher.group("name");
        var role = ConsoleRole.of(matcher.group("role"))
                .orElseThrow(() -> new OperatorError(
                        place + ": unknown role '" + matcher.group("role") + "', known are viewer and operator"));
        var password = matcher.group("password");
        if (password.length() < MINIMUM_LENGTH) {
            throw new OperatorError(
                    place + ": the password of " + name + " has fewer than " + MINIMUM_LENGTH + " characters");
        }
        if (settings.put(SETTINGS + "users." + name, digest(name, password)) != null) {
            throw new OperatorError(place + ": " + name + " is there twice");
        }
        settings.put(SETTINGS + "roles." + name, role.text());
    }

    private static String digest(String name, String password) {
        try {
            var text = name + ":" + REALM + ":" + password;
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
