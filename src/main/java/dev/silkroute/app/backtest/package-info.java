/** {@code silkroute alerts test} and {@code silkroute alerts init}: commands for files of alert rules. */
@NullMarked
package dev.silkroute.app.backtest;

import org.jspecify.annotations.NullMarked;
