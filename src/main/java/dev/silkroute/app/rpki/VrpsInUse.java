package dev.silkroute.app.rpki;

import dev.silkroute.rpki.VrpTable;
import java.time.Instant;

/**
 * The VRPs that a station uses.
 *
 * @param table an object of its own after each load; {@link VrpTable#EMPTY} without VRPs
 * @param since when the station noticed that it uses them, in whole microseconds
 */
public record VrpsInUse(VrpTable table, Instant since) {}
