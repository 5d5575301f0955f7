-- The validity of routes by the VRPs of a time: docs/how-to/rpki.md, ADR 33.

-- Sequences of a confederation are (…), its sets […]: they are no origin.
CREATE OR REPLACE FUNCTION bmp.rpki_origin(as_path text, peer_asn bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.path = '' THEN peer_asn ELSE substring(p.path FROM '[0-9]+$')::bigint END
  FROM (SELECT btrim(regexp_replace(coalesce(as_path, ''), '[(\[][^])]*[])]', '', 'g')) AS path) p
$$;
COMMENT ON FUNCTION bmp.rpki_origin IS 'The AS that route origin validation is about (RFC 6811, Section 2): the last one of the AS path; that of the peer if the path is empty or has segments of confederations only, because it is the speaker''s own in the Loc-RIB and of peers within the AS; null if the path ends with a set';

-- PL/pgSQL, because its plan is kept for all calls of a session; an SQL function with such a query is not inlined.
CREATE OR REPLACE FUNCTION bmp.rpki_validity(prefix cidr, origin_asn bigint, ts timestamptz DEFAULT now()) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  covered boolean;
  valid boolean;
BEGIN
  IF rpki_validity.prefix IS NULL OR coalesce((SELECT v.vrps FROM bmp.vrp_version v WHERE v.used_from <= ts
      ORDER BY v.used_from DESC LIMIT 1), 0) = 0 THEN
    RETURN NULL;
  END IF;
  SELECT count(*) > 0, bool_or(v.asn = rpki_validity.origin_asn AND v.asn <> 0 AND masklen(rpki_validity.prefix) <= v.max_length)
  INTO covered, valid
  FROM bmp.vrp v
  WHERE v.prefix = ANY (bmp.covering(rpki_validity.prefix)) AND v.valid_from <= ts AND (v.valid_until > ts OR v.valid_until IS NULL);
  RETURN CASE WHEN valid THEN 'valid' WHEN covered THEN 'invalid' ELSE 'not-found' END;
END $$;
COMMENT ON FUNCTION bmp.rpki_validity IS 'The validation state (RFC 6811) of a route by the VRPs that the station used at a time: valid, invalid or not-found. Null if it had no VRPs then, or if they are not kept. Its origin AS is that of bmp.rpki_origin(as_path, peer_asn). For unicast and labeled unicast only: VRPs are about prefixes of the public Internet';

CREATE OR REPLACE FUNCTION bmp.purge_vrps(retention interval, max_rows bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  -- The version with which the kept time begins. Validity is unknown before, so that no row of it is needed.
  horizon timestamptz := (SELECT max(v.used_from) FROM bmp.vrp_version v WHERE v.used_from <= greatest(now() - retention,
    (SELECT r.valid_until FROM bmp.vrp r WHERE r.valid_until IS NOT NULL ORDER BY r.valid_until DESC OFFSET max_rows LIMIT 1)));
  deleted bigint;
BEGIN
  DELETE FROM bmp.vrp WHERE valid_until <= horizon;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  DELETE FROM bmp.vrp_version WHERE used_from < horizon;
  RETURN deleted;
END $$;
COMMENT ON FUNCTION bmp.purge_vrps IS 'Internal: deletes withdrawn VRPs and versions that are older than the retention, and the oldest ones if more than max_rows withdrawn VRPs are left. A retention of null keeps them for ever. Returns the number of deleted VRPs';
