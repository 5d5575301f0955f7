package dev.silkroute.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;

/** Reads secrets from files, so that they are neither on a command line nor in an environment. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * Returns the content of a file without surrounding blanks.
     *
     * @param property the setting that names the file, for the error message
     * @throws OperatorError if the file cannot be read, is empty, or every user of the machine can read it
     */
    public static String read(String property, Path file) {
        var secret = text(property, file).strip();
        if (secret.isEmpty()) {
            throw new OperatorError(property + ": " + file + " is empty");
        }
        return secret;
    }

    /**
     * Returns the lines of a file, which may be none.
     *
     * @param property the setting that names the file, for the error message
     * @throws OperatorError if the file cannot be read, or every user of the machine can read it
     */
    public static List<String> lines(String property, Path file) {
        return text(property, file).lines().toList();
    }

    private static String text(String property, Path file) {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                throw new OperatorError(property + ": every user of this machine can read " + file
                        + ", which contains a secret: use chmod o-r");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new OperatorError(property + ": cannot read " + file + ": " + OperatorError.reason(e), e);
        }
    }
}
