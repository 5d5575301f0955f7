/**
 * BMP sessions in packet captures: pcap and pcapng files, IP fragments and TCP streams reassembled.
 *
 * <pre>
 * file ─▶ PacketReader ─▶ TcpSegment ─▶ TcpStream ─▶ BmpStartFinder
 *         packets        IP and TCP    bytes in order  from the first complete message on
 * </pre>
 *
 * <p>A further packet format is a {@link dev.silkroute.capture.packet.PacketReader} and a constant of {@link
 * dev.silkroute.capture.packet.PacketFormat}. The package uses {@code capture} and the JDK only.
 */
@NullMarked
package dev.silkroute.capture.packet;

import org.jspecify.annotations.NullMarked;
