package dev.silkroute.alert.path;

import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition on AS paths. It matches if {@code match} is found, {@code notMatch} is not, and, where bounds are given,
 * the path is longer than {@code maxLength} or shorter than {@code minLength}.
 *
 * @param match searched in the path as AS numbers separated by commas, sets as {@code [64500,64501]}; null matches all
 * @param notMatch null matches none
 * @param description empty if the file has none
 */
public record PathCondition(
        @Nullable Pattern match,
        @Nullable Pattern notMatch,
        String description,
        OptionalInt maxLength,
        OptionalInt minLength) {

    /** @param asPath as in {@code v_rib}: AS numbers separated by spaces, sets in braces */
    public boolean matches(String asPath) {
        String path = asPath.replace(' ', ',').replace('{', '[').replace('}', ']');
        if (match != null && !match.matcher(path).find()
                || notMatch != null && notMatch.matcher(path).find()) {
            return false;
        }
        int length = asPath.isEmpty() ? 0 : asPath.split(" ", -1).length;
        boolean unbounded = maxLength.isEmpty() && minLength.isEmpty();
        return unbounded
                || maxLength.isPresent() && length > maxLength.getAsInt()
                || minLength.isPresent() && length < minLength.getAsInt();
    }

    /** Returns the condition as text. */
    public String text() {
        if (!description.isEmpty()) {
            return description;
        }
        StringBuilder text = new StringBuilder("AS path");
        if (match != null) {
            text.append(" matches ").append(match.pattern());
        }
        maxLength.ifPresent(length -> text.append(" is longer than ").append(length));
        minLength.ifPresent(length -> text.append(" is shorter than ").append(length));
        return text.toString();
    }
}
