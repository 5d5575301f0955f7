/**
 * The reading part of the REST API: routers, peers, routes, their past and their differences. {@code Parameters} parses
 * the query parameters, each resource composes a {@code Listing} from them, and {@code Answers} streams its rows. SQL
 * is always parameterised; only names of columns that the code lists become part of a statement.
 */
@NullMarked
package dev.silkroute.app.web.read;

import org.jspecify.annotations.NullMarked;
