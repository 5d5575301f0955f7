-- VRPs by which the station validated routes, each with the time of its use. Only differences between two versions are
-- stored: a VRP that is withdrawn and announced again has two rows.
CREATE TABLE bmp.vrp (
  prefix cidr NOT NULL,
  max_length smallint NOT NULL,
  asn bigint NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_until timestamptz,         -- null in the newest version
  PRIMARY KEY (prefix, max_length, asn, valid_from));
CREATE INDEX vrp_until ON bmp.vrp (valid_until) WHERE valid_until IS NOT NULL;
COMMENT ON TABLE bmp.vrp IS 'VRPs by which routes were validated, with the time of their use';

-- The versions of the VRPs, each in use until the next one. A version without VRPs means that the station had none, for
-- example because those of an RTR cache had expired: the VRPs of the version before are still the newest ones of
-- bmp.vrp, to which the next version is compared.
CREATE TABLE bmp.vrp_version (
  used_from timestamptz PRIMARY KEY,
  vrps integer NOT NULL,
  announced integer NOT NULL,
  withdrawn integer NOT NULL);
COMMENT ON TABLE bmp.vrp_version IS 'Versions of the VRPs, with the number of VRPs and of those that differ from the version before';
