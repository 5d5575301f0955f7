//! Decodes recorded BMP sessions with NetGauze's BMP codec, as often as standard input requests.
//!
//! ```text
//! decode STREAM SECONDS   whole passes until so much CPU time is used: passes, time and CPU time in ns
//! read STREAM SECONDS     the same, and every field of what was decoded is read into counts and a digest
//! count STREAM            one pass that reports these counts and this digest
//! ```
//!
//! A stream is the list of session files of one argument, separated by commas. Each session has a codec of its own, which
//! learns from Peer Ups how to decode.

mod counts;

use bytes::BytesMut;
use counts::Counts;
use netgauze_bmp_pkt::BmpMessage;
use netgauze_bmp_pkt::codec::{BmpCodec, BmpCodecDecoderError};
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};
use tokio_util::codec::Decoder;

type Decoded = Result<BmpMessage, BmpCodecDecoderError>;

fn main() -> std::io::Result<()> {
    let mut streams: Vec<Vec<Vec<u8>>> = Vec::new();
    for names in std::env::args().skip(1) {
        streams.push(names.split(',').map(std::fs::read).collect::<Result<_, _>>()?);
    }
    answer("ready")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let stream = &streams[words[1].parse::<usize>().expect("number of a stream")];
        if words[0] == "count" {
            let mut counts = Counts::default();
            for session in stream {
                pass(session, |decoded| counts.add(decoded));
            }
            answer(&counts.to_string())?;
        } else {
            let seconds = words[2].parse().expect("seconds");
            answer(&if words[0] == "read" {
                let mut counts = Counts::default();
                let spent = decode(stream, seconds, |decoded| counts.add(decoded));
                black_box(counts);
                spent
            } else {
                decode(stream, seconds, |decoded| {
                    let _ = black_box(decoded);
                })
            })?;
        }
    }
    Ok(())
}

fn answer(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn decode(stream: &[Vec<u8>], seconds: f64, mut each: impl FnMut(Decoded)) -> String {
    let mut passes = 0;
    let mut spent = Spent::default();
    while passes == 0 || spent.cpu.as_secs_f64() < seconds {
        for session in stream {
            let pass = pass(session, &mut each);
            spent.wall += pass.wall;
            spent.cpu += pass.cpu;
        }
        passes += 1;
    }
    format!("passes={passes} nanos={} cpu={}", spent.wall.as_nanos(), spent.cpu.as_nanos())
}

#[derive(Default)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

/// CPU time of this process, which has one thread.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of ours, which the call fills in.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time it took, without the copy of the session that the codec eats up.
fn pass(session: &[u8], mut each: impl FnMut(Decoded)) -> Spent {
    let mut bytes = BytesMut::from(session);
    let mut codec = BmpCodec::default();
    let cpu = cpu_time();
    let start = Instant::now();
    loop {
        match codec.decode(&mut bytes) {
            Ok(Some(message)) => each(Ok(message)),
            Ok(None) => return Spent { wall: start.elapsed(), cpu: cpu_time() - cpu },
            Err(error) => each(Err(error)),
        }
    }
}
