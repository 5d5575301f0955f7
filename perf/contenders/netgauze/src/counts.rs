//! What a pass found. Every contender folds values by the same rule: a list is h = h * factor + value, element by element;
//! what a route or an attribute gives is weighted by its kind and summed up, wrapping around.

use crate::Decoded;
use netgauze_bgp_pkt::BgpMessage;
use netgauze_bgp_pkt::path_attribute::{AsPath, MpReach, MpUnreach, PathAttributeValue};
use netgauze_bmp_pkt::{BmpMessage, v3};
use netgauze_parse_utils::WritablePdu;
use std::fmt;
use std::net::IpAddr;

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const ANNOUNCED: u64 = 301;
const WITHDRAWN: u64 = 303;

#[derive(Default)]
pub struct Counts {
    messages: u64,
    announced: u64,
    withdrawn: u64,
    attributes: u64,
    errors: u64,
    digest: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "messages={} announced={} withdrawn={} attributes={} errors={} digest={}",
            self.messages, self.announced, self.withdrawn, self.attributes, self.errors, self.digest
        )
    }
}

fn fold(h: u64, value: u64) -> u64 {
    h.wrapping_mul(FACTOR).wrapping_add(value)
}

fn address(a: IpAddr) -> (u64, u64) {
    match a {
        IpAddr::V4(a) => (0, a.to_bits() as u64),
        IpAddr::V6(a) => ((a.to_bits() >> 64) as u64, a.to_bits() as u64),
    }
}

impl Counts {
    pub fn add(&mut self, decoded: Decoded) {
        self.messages += 1;
        match decoded {
            Err(_) => self.errors += 1,
            Ok(BmpMessage::V3(v3::BmpMessageValue::RouteMonitoring(message))) => {
                match message.update_message() {
                    BgpMessage::Update(update) => {
                        for route in update.withdraw_routes() {
                            self.route(WITHDRAWN, route.path_id(), route.network().address().into());
                        }
                        for route in update.nlri() {
                            self.route(ANNOUNCED, route.path_id(), route.network().address().into());
                        }
                        self.attributes += update.path_attributes().len() as u64;
                        for attribute in update.path_attributes() {
                            self.attribute(attribute.value());
                        }
                    }
                    _ => self.errors += 1,
                }
            }
            Ok(_) => {}
        }
    }

    fn count(&mut self, weight: u64, routes: usize) {
        if weight == ANNOUNCED {
            self.announced += routes as u64;
        } else {
            self.withdrawn += routes as u64;
        }
    }

    fn route(&mut self, weight: u64, path_id: Option<u32>, prefix: ipnet::IpNet) {
        self.count(weight, 1);
        let (high, low) = address(prefix.addr());
        let h = fold(fold(fold(high, low), prefix.prefix_len() as u64), path_id.unwrap_or(0) as u64);
        self.digest = self.digest.wrapping_add(h.wrapping_mul(weight));
    }

    fn attribute(&mut self, value: &PathAttributeValue) {
        let (kind, h) = match value {
            PathAttributeValue::Origin(a) => (1, *a as u64),
            PathAttributeValue::AsPath(a) => (2, as_path(a)),
            PathAttributeValue::NextHop(a) => (3, address(a.next_hop().into()).1),
            PathAttributeValue::MultiExitDiscriminator(a) => (4, a.metric() as u64),
            PathAttributeValue::LocalPreference(a) => (5, a.metric() as u64),
            PathAttributeValue::Communities(a) => {
                (8, a.communities().iter().fold(0, |h, each| fold(h, each.value() as u64)))
            }
            PathAttributeValue::ExtendedCommunities(a) => {
                let mut h = 0;
                for each in a.communities() {
                    let mut bytes = Vec::new();
                    each.write(&mut bytes).expect("memory does not fail");
                    h = fold(h, u64::from_be_bytes(bytes.try_into().expect("eight bytes")));
                }
                (16, h)
            }
            PathAttributeValue::LargeCommunities(a) => {
                let h = a.communities().iter().fold(0, |h, each| {
                    let h = fold(h, each.global_admin() as u64);
                    fold(fold(h, each.local_data1() as u64), each.local_data2() as u64)
                });
                (32, h)
            }
            PathAttributeValue::MpReach(a) => (14, self.reach(a)),
            PathAttributeValue::MpUnreach(a) => {
                self.unreach(a);
                return;
            }
            _ => return,
        };
        self.digest = self.digest.wrapping_add(h.wrapping_mul(2 * kind + 1));
    }

    fn reach(&mut self, reach: &MpReach) -> u64 {
        let next_hop = match reach {
            MpReach::Ipv4Unicast { next_hop, nlri, .. } => {
                for route in nlri {
                    self.route(ANNOUNCED, route.path_id(), route.network().address().into());
                }
                *next_hop
            }
            MpReach::Ipv6Unicast { next_hop_global, nlri, .. } => {
                for route in nlri {
                    self.route(ANNOUNCED, route.path_id(), route.network().address().into());
                }
                (*next_hop_global).into()
            }
            other => {
                self.count(ANNOUNCED, reached(other));
                return 0;
            }
        };
        let (high, low) = address(next_hop);
        fold(high, low)
    }

    fn unreach(&mut self, unreach: &MpUnreach) {
        match unreach {
            MpUnreach::Ipv4Unicast { nlri } => {
                for route in nlri {
                    self.route(WITHDRAWN, route.path_id(), route.network().address().into());
                }
            }
            MpUnreach::Ipv6Unicast { nlri } => {
                for route in nlri {
                    self.route(WITHDRAWN, route.path_id(), route.network().address().into());
                }
            }
            other => self.count(WITHDRAWN, unreached(other)),
        }
    }
}

fn as_path(path: &AsPath) -> u64 {
    let mut h = 0;
    match path {
        AsPath::As2PathSegments(segments) => {
            for each in segments {
                h = fold(fold(h, each.segment_type() as u64), each.as_numbers().len() as u64);
                h = each.as_numbers().iter().fold(h, |h, asn| fold(h, *asn as u64));
            }
        }
        AsPath::As4PathSegments(segments) => {
            for each in segments {
                h = fold(fold(h, each.segment_type() as u64), each.as_numbers().len() as u64);
                h = each.as_numbers().iter().fold(h, |h, asn| fold(h, *asn as u64));
            }
        }
    }
    h
}

/// Number of routes of the families that only are counted.
fn reached(reach: &MpReach) -> usize {
    match reach {
        MpReach::Ipv4Multicast { nlri, .. } => nlri.len(),
        MpReach::Ipv4NlriMplsLabels { nlri, .. } => nlri.len(),
        MpReach::Ipv4MplsVpnUnicast { nlri, .. } => nlri.len(),
        MpReach::Ipv6Multicast { nlri, .. } => nlri.len(),
        MpReach::Ipv6NlriMplsLabels { nlri, .. } => nlri.len(),
        MpReach::Ipv6MplsVpnUnicast { nlri, .. } => nlri.len(),
        MpReach::L2Evpn { nlri, .. } => nlri.len(),
        MpReach::RouteTargetMembership { nlri, .. } => nlri.len(),
        MpReach::BgpLs { nlri, .. } => nlri.len(),
        MpReach::BgpLsVpn { nlri, .. } => nlri.len(),
        _ => 0,
    }
}

fn unreached(unreach: &MpUnreach) -> usize {
    match unreach {
        MpUnreach::Ipv4Multicast { nlri } => nlri.len(),
        MpUnreach::Ipv4NlriMplsLabels { nlri } => nlri.len(),
        MpUnreach::Ipv4MplsVpnUnicast { nlri } => nlri.len(),
        MpUnreach::Ipv6Multicast { nlri } => nlri.len(),
        MpUnreach::Ipv6NlriMplsLabels { nlri } => nlri.len(),
        MpUnreach::Ipv6MplsVpnUnicast { nlri } => nlri.len(),
        MpUnreach::L2Evpn { nlri } => nlri.len(),
        MpUnreach::RouteTargetMembership { nlri } => nlri.len(),
        MpUnreach::BgpLs { nlri } => nlri.len(),
        MpUnreach::BgpLsVpn { nlri } => nlri.len(),
        _ => 0,
    }
}
