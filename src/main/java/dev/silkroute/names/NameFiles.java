package dev.silkroute.names;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bounds of both files, and of the text in them that may be shown. */
final class NameFiles {
    private NameFiles() {}

    /**
     * Opens a file in UTF-8.
     *
     * @throws IOException if it cannot be read or is larger than {@code maxBytes}
     */
    static BufferedReader open(Path file, long maxBytes) throws IOException {
        if (Files.size(file) > maxBytes) {
            throw new IOException(file + " is larger than " + maxBytes + " bytes");
        }
        return Files.newBufferedReader(file);
    }

    /**
     * Checks a text that pages and terminals will show.
     *
     * @throws IllegalArgumentException if it is longer than {@code maxLength} characters or contains control
     * characters
     */
    static String checked(String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new IllegalArgumentException("a text is longer than " + maxLength + " characters");
        }
        if (text.codePoints().anyMatch(NameFiles::isUnprintable)) {
            throw new IllegalArgumentException("a text contains control characters");
        }
        return text;
    }

    /** Returns a text without control characters, and at most its first {@code maxLength} characters. */
    static String printable(String text, int maxLength) {
        return text.codePoints()
                .filter(character -> !isUnprintable(character))
                .limit(maxLength)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Formats reverse the direction of text, among others, so that it reads as something else. */
    private static boolean isUnprintable(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
    }
}
