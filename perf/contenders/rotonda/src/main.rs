//! rotonda-store's RIB in memory, controlled by commands on standard input; the only argument is the workload's file.
//!
//! ```text
//! new                         an empty table
//! apply ROUTES                announces and withdraws: routes, time and CPU time in ns
//! memory                      bytes allocated and not freed since the table was made
//! lookup PROBES full SECONDS  all probes in turn until so much CPU time is used: lookups, time and CPU time in ns
//! check PROBES full|lpm       hits and digest of the answers
//! flush PEER                  withdraws all routes of a peer: time in ns
//! ```

mod memory;
mod workload;

use rotonda_store::addr::Prefix;
use rotonda_store::epoch;
use rotonda_store::match_options::{IncludeHistory, MatchOptions, MatchType};
use rotonda_store::prefix_record::{Meta, Record, RouteStatus};
use rotonda_store::rib::StarCastRib;
use rotonda_store::rib::config::MemoryOnlyConfig;
use std::fmt;
use std::io::{BufRead, Write};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use workload::{Digest, WITHDRAWAL, Workload};

#[global_allocator]
static MEMORY: memory::Counting = memory::Counting;

/// A route's attributes, and the origin AS beside them, so that it need not be looked for.
#[derive(Clone, Debug)]
struct Attributes {
    origin: u32,
    bytes: Arc<[u8]>,
}

impl AsRef<[u8]> for Attributes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Vec<u8>> for Attributes {
    fn from(bytes: Vec<u8>) -> Self {
        Self { origin: workload::origin(&bytes), bytes: bytes.into() }
    }
}

impl fmt::Display for Attributes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "AS{}", self.origin)
    }
}

impl Meta for Attributes {
    type Orderable<'a> = u32;
    type TBI = ();

    fn as_orderable(&self, _: ()) -> u32 {
        self.origin
    }
}

/// Probes whose answers are checked.
const CHECKED: usize = 100_000;

type Rib = StarCastRib<Attributes, MemoryOnlyConfig>;

const LONGEST: MatchOptions = MatchOptions {
    match_type: MatchType::LongestMatch,
    include_withdrawn: false,
    include_less_specifics: false,
    include_more_specifics: false,
    mui: None,
    include_history: IncludeHistory::None,
};

fn main() -> std::io::Result<()> {
    let work = Workload::read(&std::env::args().nth(1).expect("file of the workload"))?;
    let mut rib = Rib::try_default().expect("a RIB");
    let mut before = memory::in_use();
    answer("ready")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "new" => {
                drop(std::mem::replace(&mut rib, Rib::try_default().expect("a RIB")));
                before = memory::in_use();
                answer("done=1")?;
            }
            "apply" => answer(&apply(&rib, &work, words[1]))?,
            "memory" => answer(&format!("bytes={}", memory::in_use().saturating_sub(before)))?,
            "lookup" => answer(&lookup(&rib, &work, words[1], words[3].parse().expect("seconds")))?,
            "check" => answer(&check(&rib, &work, words[1], words[2] == "full"))?,
            "flush" => answer(&flush(&rib, words[1].parse().expect("peer")))?,
            _ => answer("unknown")?,
        }
    }
    Ok(())
}

fn answer(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn apply(rib: &Rib, work: &Workload, name: &str) -> String {
    let routes = work.routes(name);
    let cpu = cpu_time();
    let start = Instant::now();
    for (time, route) in routes.iter().enumerate() {
        let prefix = &work.prefixes[route.prefix as usize];
        if route.set == WITHDRAWAL {
            let _ = rib.mark_mui_as_withdrawn_for_prefix(prefix, route.peer, time as u64);
        } else {
            let bytes = work.set(route.set);
            let attributes = Attributes { origin: workload::origin(bytes), bytes: bytes.into() };
            let record = Record::new(route.peer, time as u64, RouteStatus::Active, attributes);
            rib.insert(prefix, record, None).expect("inserted");
        }
    }
    let nanos = start.elapsed().as_nanos();
    let cpu = (cpu_time() - cpu).as_nanos();
    format!("routes={} nanos={nanos} cpu={cpu}", routes.len())
}

fn lookup(rib: &Rib, work: &Workload, name: &str, seconds: f64) -> String {
    let probes: Vec<Prefix> = work.probes(name).into_iter().map(host).collect();
    let mut lookups = 0;
    let cpu = cpu_time();
    let start = Instant::now();
    while lookups == 0 || (cpu_time() - cpu).as_secs_f64() < seconds {
        // Some at a time, so that the epoch can go on; a look at the clock now and then.
        for some in probes.chunks(1000) {
            let guard = epoch::pin();
            for probe in some {
                let found = rib.match_prefix(probe, &LONGEST, &guard).expect("an answer");
                std::hint::black_box(found.records.first().map_or(0, |record| record.meta.origin));
            }
            lookups += some.len();
        }
    }
    let (nanos, cpu) = (start.elapsed().as_nanos(), (cpu_time() - cpu).as_nanos());
    format!("lookups={lookups} nanos={nanos} cpu={cpu}")
}

fn check(rib: &Rib, work: &Workload, name: &str, whole: bool) -> String {
    let mut digest = Digest::default();
    let guard = epoch::pin();
    for (i, probe) in work.probes(name).into_iter().take(CHECKED).enumerate() {
        let found = rib.match_prefix(&host(probe), &LONGEST, &guard).expect("an answer");
        if let (Some(prefix), Some(record)) = (found.prefix, found.records.first()) {
            let answer = workload::prefix_digest(prefix.addr(), prefix.len());
            digest.add(i, if whole { workload::route_digest(answer, &record.meta.bytes) } else { answer });
        }
    }
    format!("hits={} digest={}", digest.hits, digest.sum)
}

fn flush(rib: &Rib, peer: u32) -> String {
    let start = Instant::now();
    rib.mark_mui_as_withdrawn(peer).expect("withdrawn");
    format!("visible={}", start.elapsed().as_nanos())
}

fn host(address: IpAddr) -> Prefix {
    Prefix::new(address, if address.is_ipv4() { 32 } else { 128 }).expect("a host")
}

/// CPU time of this process, which has one thread that does anything.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of ours, which the call fills in.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
