/**
 * Fuzz targets: one for every decoder that bytes from outside reach. Each reads to the end what a decoder has accepted.
 * They run with their committed inputs in every build, and look for new ones with
 * {@code mvn -Pfuzz test -Dtest=CLASS#METHOD}.
 */
package dev.silkroute.fuzz;
