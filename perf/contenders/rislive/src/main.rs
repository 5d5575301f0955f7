//! Reads messages of RIS Live, one per line, with bgpkit-parser: their fields, and the UPDATE in `raw`. At the end, prints
//! the numbers of messages, of announced and withdrawn prefixes by the fields and by `raw`, and of messages that it
//! rejected; those are also written to standard error.

use bgpkit_parser::{parse_ris_live_message, parse_ris_live_message_raw};
use std::io::BufRead;

fn main() {
    let (mut messages, mut by_fields, mut by_raw, mut rejected) = (0u64, 0u64, 0u64, 0u64);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is UTF-8");
        messages += 1;
        match parse_ris_live_message(&line) {
            Ok(elements) => by_fields += elements.len() as u64,
            Err(e) => {
                rejected += 1;
                eprintln!("{e}: {line}");
            }
        }
        if line.contains("\"raw\":") {
            match parse_ris_live_message_raw(&line) {
                Ok(elements) => by_raw += elements.len() as u64,
                Err(e) => {
                    rejected += 1;
                    eprintln!("raw: {e}: {line}");
                }
            }
        }
    }
    println!("{messages} {by_fields} {by_raw} {rejected}");
}
