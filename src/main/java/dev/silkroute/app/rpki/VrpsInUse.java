package dev.silkroute.app.rpki;

import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.VrpTable;
import java.time.Instant;

/**
 * The VRPs and ASPAs that a station uses.
 *
 * @param table an object of its own after each load; {@link VrpTable#EMPTY} without VRPs
 * @param aspas the same for ASPAs
 * @param since when the station noticed that it uses them, in whole microseconds
 */
public record VrpsInUse(VrpTable table, AspaTable aspas, Instant since) {}
