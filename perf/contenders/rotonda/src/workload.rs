//! The file that all contenders read; Workload.java describes its layout, Digest.java the digest.

use rotonda_store::addr::Prefix;
use std::collections::HashMap;
use std::io::{Error, Result};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;

pub const WITHDRAWAL: u32 = u32::MAX;

const NAME_BYTES: usize = 24;
const ENTRY_BYTES: usize = NAME_BYTES + 16;
const AS_PATH: u8 = 2;

pub struct Workload {
    file: Vec<u8>,
    sections: HashMap<String, Range<usize>>,
    sets: Range<usize>,
    bytes: Range<usize>,
    pub prefixes: Vec<Prefix>,
}

#[derive(Clone, Copy)]
pub struct Route {
    pub peer: u32,
    pub prefix: u32,
    pub set: u32,
}

impl Workload {
    pub fn read(name: &str) -> Result<Self> {
        let file = std::fs::read(name)?;
        if !file.starts_with(b"RIBWORK1") {
            return Err(Error::other("no workload"));
        }
        let mut sections = HashMap::new();
        for entry in file[16..].chunks_exact(ENTRY_BYTES).take(u32_at(&file, 8) as usize) {
            let name = String::from_utf8_lossy(&entry[..NAME_BYTES]);
            let from = u64_at(entry, NAME_BYTES) as usize;
            let length = u64_at(entry, NAME_BYTES + 8) as usize;
            sections.insert(name.trim_end_matches('\0').to_string(), from..from + length);
        }
        let prefixes = file[sections["prefixes"].clone()].chunks_exact(20).map(prefix).collect();
        let (sets, bytes) = (sections["sets"].clone(), sections["bytes"].clone());
        Ok(Self { file, sections, sets, bytes, prefixes })
    }

    fn section(&self, name: &str) -> &[u8] {
        &self.file[self.sections[name].clone()]
    }

    pub fn routes(&self, name: &str) -> Vec<Route> {
        let routes = self.section(&format!("r:{name}")).chunks_exact(12);
        routes.map(|b| Route { peer: u32_at(b, 0), prefix: u32_at(b, 4), set: u32_at(b, 8) }).collect()
    }

    pub fn set(&self, set: u32) -> &[u8] {
        let at = self.sets.start + 4 * set as usize;
        let (from, to) = (u32_at(&self.file, at), u32_at(&self.file, at + 4));
        &self.file[self.bytes.start + from as usize..self.bytes.start + to as usize]
    }

    pub fn probes(&self, name: &str) -> Vec<IpAddr> {
        let bytes = self.section(&format!("p:{name}"));
        if name.ends_with('6') {
            bytes.chunks_exact(16).map(six).collect()
        } else {
            bytes.chunks_exact(4).map(|b| IpAddr::V4(Ipv4Addr::from(u32_at(b, 0)))).collect()
        }
    }
}

fn prefix(b: &[u8]) -> Prefix {
    let address = if b[17] == 0 { IpAddr::V4(Ipv4Addr::new(b[0], b[1], b[2], b[3])) } else { six(&b[..16]) };
    Prefix::new(address, b[16]).expect("a prefix")
}

fn six(b: &[u8]) -> IpAddr {
    IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(b).expect("16 bytes")))
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(b[at..at + 4].try_into().expect("4 bytes"))
}

fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(b[at..at + 8].try_into().expect("8 bytes"))
}

/// The last AS number of the path of a canonical set.
pub fn origin(set: &[u8]) -> u32 {
    let mut at = 0;
    while at < set.len() {
        let end = at + 4 + usize::from(u16::from_be_bytes([set[at + 2], set[at + 3]]));
        if set[at + 1] == AS_PATH {
            return u32::from_be_bytes(set[end - 4..end].try_into().expect("4 bytes"));
        }
        at = end;
    }
    0
}

#[derive(Default)]
pub struct Digest {
    pub hits: u64,
    pub sum: u64,
}

impl Digest {
    pub fn add(&mut self, probe: usize, answer: u64) {
        self.hits += 1;
        self.sum = self.sum.wrapping_add(mix(answer.wrapping_add(probe as u64)));
    }
}

pub fn prefix_digest(address: IpAddr, length: u8) -> u64 {
    let bits = match address {
        IpAddr::V4(four) => u128::from(u32::from(four)) << 96,
        IpAddr::V6(six) => u128::from(six),
    };
    mix((bits >> 64) as u64 ^ mix(bits as u64 ^ mix(u64::from(length))))
}

pub fn route_digest(prefix: u64, bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    mix(prefix ^ hash)
}

fn mix(value: u64) -> u64 {
    let mut x = value;
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}
