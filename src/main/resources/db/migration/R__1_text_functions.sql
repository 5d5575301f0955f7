-- Codes, numbers and their texts. docs/how-to/query.md describes the texts.

CREATE OR REPLACE FUNCTION bmp.rib_view_text(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (ARRAY['adj-rib-in-pre', 'adj-rib-in-post', 'adj-rib-out-pre', 'adj-rib-out-post', 'loc-rib'])[code + 1] $$;
COMMENT ON FUNCTION bmp.rib_view_text IS 'Internal: the name of a RIB view, from its protocol code';

CREATE OR REPLACE FUNCTION bmp.rib_view_code(view text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (array_position(
     ARRAY['adj-rib-in-pre', 'adj-rib-in-post', 'adj-rib-out-pre', 'adj-rib-out-post', 'loc-rib'], view) - 1)::smallint $$;
COMMENT ON FUNCTION bmp.rib_view_code IS 'Internal: the protocol code of a RIB view, from its name';

CREATE OR REPLACE FUNCTION bmp.peer_type_text(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT coalesce((ARRAY['global', 'rd', 'local', 'loc-rib'])[code + 1], 'type-' || code::text) $$;
COMMENT ON FUNCTION bmp.peer_type_text IS 'Internal: the name of a peer type, from its protocol code';

CREATE OR REPLACE FUNCTION bmp.peer_type_code(peer_type text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT coalesce(
     array_position(ARRAY['global', 'rd', 'local', 'loc-rib'], peer_type) - 1,
     substring(peer_type FROM '^type-([0-9]+)$')::integer)::smallint $$;
COMMENT ON FUNCTION bmp.peer_type_code IS 'Internal: the protocol code of a peer type, from its name';

CREATE OR REPLACE FUNCTION bmp.distinguisher_text(distinguisher bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT lpad(to_hex(distinguisher), 16, '0') $$;
COMMENT ON FUNCTION bmp.distinguisher_text IS 'Internal: the eight bytes of a peer distinguisher as 16 hex digits';

CREATE OR REPLACE FUNCTION bmp.distinguisher_number(hex text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT ('x' || lpad(hex, 16, '0'))::bit(64)::bigint $$;
COMMENT ON FUNCTION bmp.distinguisher_number IS 'Internal: a peer distinguisher as a number, from 16 hexadecimal digits';

CREATE OR REPLACE FUNCTION bmp.bgp_id_text(bgp_id bigint) RETURNS inet LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT '0.0.0.0'::inet + bgp_id $$;
COMMENT ON FUNCTION bmp.bgp_id_text IS 'Internal: a BGP identifier as an address, from its number';

CREATE OR REPLACE FUNCTION bmp.bgp_id_number(bgp_id inet) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT bgp_id - '0.0.0.0'::inet $$;
COMMENT ON FUNCTION bmp.bgp_id_number IS 'Internal: a BGP identifier as a number, from its address';

CREATE OR REPLACE FUNCTION bmp.address(address text) RETURNS inet LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN split_part(address, '%', 1)::inet;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;
COMMENT ON FUNCTION bmp.address IS 'Internal: an address given as text; null if it is not an address. A zone (after %) is dropped';

CREATE OR REPLACE FUNCTION bmp.rd_text(rd bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE rd >> 48 & 65535
     WHEN 0 THEN (rd >> 32 & 65535)::text || ':' || (rd & 4294967295)::text
     WHEN 1 THEN host('0.0.0.0'::inet + (rd >> 16 & 4294967295)) || ':' || (rd & 65535)::text
     WHEN 2 THEN (rd >> 16 & 4294967295)::text || ':' || (rd & 65535)::text
     ELSE lpad(to_hex(rd), 16, '0') END $$;
COMMENT ON FUNCTION bmp.rd_text IS 'Internal: a route distinguisher (RFC 4364, Section 4.2), whose first two bytes are its type';

CREATE OR REPLACE FUNCTION bmp.family_text(family integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE family
     WHEN 257 THEN 'ipv4-unicast' WHEN 258 THEN 'ipv4-multicast' WHEN 260 THEN 'ipv4-labeled-unicast'
     WHEN 261 THEN 'ipv4-mcast-vpn' WHEN 322 THEN 'ipv4-mdt' WHEN 329 THEN 'ipv4-sr-policy'
     WHEN 384 THEN 'vpnv4' WHEN 385 THEN 'vpnv4-multicast' WHEN 388 THEN 'rt-constraint'
     WHEN 389 THEN 'ipv4-flowspec' WHEN 390 THEN 'vpnv4-flowspec'
     WHEN 513 THEN 'ipv6-unicast' WHEN 514 THEN 'ipv6-multicast' WHEN 516 THEN 'ipv6-labeled-unicast'
     WHEN 517 THEN 'ipv6-mcast-vpn' WHEN 585 THEN 'ipv6-sr-policy'
     WHEN 640 THEN 'vpnv6' WHEN 641 THEN 'vpnv6-multicast' WHEN 644 THEN 'ipv6-rt-constraint'
     WHEN 645 THEN 'ipv6-flowspec' WHEN 646 THEN 'vpnv6-flowspec'
     WHEN 6465 THEN 'vpls' WHEN 6470 THEN 'evpn' WHEN 6533 THEN 'l2vpn-flowspec' WHEN 6534 THEN 'l2vpn-vpn-flowspec'
     WHEN 4195399 THEN 'bgp-ls' WHEN 4195400 THEN 'bgp-ls-vpn'
     ELSE 'afi-' || (family >> 8)::text || '/safi-' || (family & 255)::text END $$;
COMMENT ON FUNCTION bmp.family_text IS 'Internal: the name of an address family, from AFI << 8 | SAFI';

CREATE OR REPLACE FUNCTION bmp.has_rd(family integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT family IN (384, 385, 640, 641) $$;
COMMENT ON FUNCTION bmp.has_rd IS 'Internal: whether the NLRI of a family contain a route distinguisher before an IP prefix: SAFI 128 and 129 of AFI 1 and 2';

CREATE OR REPLACE FUNCTION bmp.nlri_text(family integer, rd bigint, prefix cidr, nlri bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN prefix IS NULL THEN encode(nlri, 'hex')
     WHEN bmp.has_rd(family) THEN bmp.rd_text(rd) || ' ' || prefix::text ELSE prefix::text END $$;
COMMENT ON FUNCTION bmp.nlri_text IS 'Internal: the canonical text of an NLRI for which the station has stored none: the prefix, "rd prefix", or the bytes in hex';

-- The part of an NLRI that identifies a route of its family: the whole NLRI except for EVPN, where labels, gateways and
-- often the ESI are attributes (RFC 7432, Section 7; RFC 9136, Section 3; RFC 9251, Section 9). The Java class NlriKey
-- computes the same.
CREATE OR REPLACE FUNCTION bmp.nlri_key(family integer, nlri bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  type integer;
  length integer := octet_length(nlri);
BEGIN
  IF family <> 6470 OR length < 2 THEN
    RETURN nlri;
  END IF;
  type := get_byte(nlri, 0);
  RETURN substr(nlri, 1, 1) || CASE
    WHEN type = 1 AND length = 27 THEN substr(nlri, 3, 22)
    WHEN type = 2 AND length >= 35 THEN substr(nlri, 3, 8) || substr(nlri, 21, 12 + get_byte(nlri, 31) / 8)
    WHEN type = 5 AND length IN (36, 60) THEN substr(nlri, 3, 8) || substr(nlri, 21, CASE length WHEN 36 THEN 9 ELSE 21 END)
    WHEN type IN (6, 7) AND length > 3 THEN substr(nlri, 3, length - 3)
    WHEN type = 8 AND length > 8 THEN substr(nlri, 3, length - 8)
    ELSE substr(nlri, 2) END;
END $$;
COMMENT ON FUNCTION bmp.nlri_key IS 'Internal: the part of an NLRI that identifies a route of its family: the whole NLRI except for EVPN, where labels, gateways and often the ESI are attributes (RFC 7432, Section 7; RFC 9136, Section 3; RFC 9251, Section 9)';

CREATE OR REPLACE FUNCTION bmp.indexed_nlri_key(key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN octet_length(key) > 1024 THEN sha256(key) ELSE key END $$;
COMMENT ON FUNCTION bmp.indexed_nlri_key IS 'Internal: the key of nlri_key() as rib_route.nlri contains it: replaced by its SHA-256 if it is too long for an index entry';

-- STRICT, so that routes without a status, which are most, cost no call: PostgreSQL does not inline a function with a
-- subquery.
CREATE OR REPLACE FUNCTION bmp.path_status_texts(status bigint) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT coalesce(('{invalid,best,non-selected,primary,backup,non-installed,best-external,add-path,filtered-inbound,'
        'filtered-outbound,stale,suppressed}'::text[])[bit + 1], 'status-' || bit)
    FROM generate_series(0, 31) bit WHERE status >> bit & 1 = 1 ORDER BY bit)
$$;
COMMENT ON FUNCTION bmp.path_status_texts IS 'Internal: the names of the bits of a path status (draft-ietf-grow-bmp-path-marking-tlv) that are set';

CREATE OR REPLACE FUNCTION bmp.path_reason_text(reason integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(('{invalid-as-loop,invalid-unresolvable-next-hop,not-preferred-local-pref,not-preferred-as-path-length,'
    'not-preferred-origin,not-preferred-med,not-preferred-peer-type,not-preferred-igp-cost,not-preferred-router-id,'
    'not-preferred-peer-address,not-preferred-aigp}'::text[])[reason], 'reason-' || reason)
$$;
COMMENT ON FUNCTION bmp.path_reason_text IS 'Internal: the name of a reason code (draft-ietf-grow-bmp-path-marking-tlv)';

-- Every prefix that covers an address or prefix, including itself: 33 or 129 exact probes of a primary key that begins
-- with the prefix replace an index of their own.
CREATE OR REPLACE FUNCTION bmp.covering(address inet) RETURNS cidr[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT array_agg(set_masklen(network(address), length)) FROM generate_series(0, masklen(address)) length $$;
COMMENT ON FUNCTION bmp.covering IS 'Every prefix that covers an address or prefix, including itself';
