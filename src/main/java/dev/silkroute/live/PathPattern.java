package dev.silkroute.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pattern of AS paths in RIS Live's form: AS numbers and sets, separated by commas, that follow one another anywhere
 * in the path; {@code ^} before them matches the start of the path, {@code $} after them its end, and {@code !} before
 * everything negates the pattern. A set is written as {@code [789,10111]}, in any order.
 *
 * @param elements the AS numbers and sets, in the form of {@link #set}
 */
record PathPattern(List<String> elements, boolean negated, boolean atStart, boolean atEnd) {
    private static final Pattern FORM = Pattern.compile("(!?)(\\^?)([^!^$]*)(\\$?)");
    private static final Pattern ELEMENT = Pattern.compile("\\s*(?:\\[([\\d,\\s]+)]|(\\d{1,10}))\\s*(,|$)");

    /** @throws IllegalArgumentException if the text is not a pattern */
    static PathPattern parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw invalid(text);
        }
        List<String> elements = new ArrayList<>();
        String list = form.group(3);
        Matcher element = ELEMENT.matcher(list);
        int at = 0;
        while (at < list.length()) {
            if (!element.find(at)
                    || element.start() != at
                    || element.group(3).equals(",") && element.end() == list.length()) {
                throw invalid(text);
            }
            elements.add(element.group(1) == null ? asn(element.group(2)) : set(numbers(element.group(1), text)));
            at = element.end();
        }
        if (elements.isEmpty()) {
            throw invalid(text);
        }
        return new PathPattern(
                List.copyOf(elements),
                !form.group(1).isEmpty(),
                !form.group(2).isEmpty(),
                !form.group(4).isEmpty());
    }

    private static List<Long> numbers(String list, String text) {
        try {
            return Arrays.stream(list.split(",", -1))
                    .map(part -> Long.valueOf(part.strip()))
                    .toList();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(invalid(text).getMessage(), e);
        }
    }

    private static String asn(String digits) {
        return Long.toString(Long.parseLong(digits));
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a path pattern such as \"64500,64501$\", \"^64500\" or \"!64500\"");
    }

    /** Returns a set in the form that patterns and paths have: {@code [1,2]}, ascending. */
    static String set(List<Long> asns) {
        return asns.stream().sorted().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    /** @param path AS numbers as digits, and sets in the form of {@link #set} */
    boolean matches(List<String> path) {
        return found(path) != negated;
    }

    private boolean found(List<String> path) {
        int length = elements.size();
        if (length > path.size()) {
            return false;
        }
        if (atStart && atEnd) {
            return path.equals(elements);
        }
        if (atStart) {
            return path.subList(0, length).equals(elements);
        }
        if (atEnd) {
            return path.subList(path.size() - length, path.size()).equals(elements);
        }
        return Collections.indexOfSubList(path, elements) >= 0;
    }
}
