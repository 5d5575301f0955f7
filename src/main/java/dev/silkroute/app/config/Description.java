package dev.silkroute.app.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a key of {@link StationConfig} for the reference page that is generated from it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Description {
    String value();

    /** The default in words, for a key whose default is not a fixed value. */
    String defaultText() default "";
}
