-- Tenants: a role that reads with the setting silkroute.tenant sees the data of that tenant's routers, and nothing
-- without the setting. The station's own role owns the tables, so the policies affect neither its writers nor its
-- queries.

-- The row level security policies call these functions. They run with the owner's privileges, so that the reader needs
-- none on bmp.tenant_router.
CREATE OR REPLACE FUNCTION bmp.tenant_routers() RETURNS SETOF integer LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
SET search_path = pg_catalog, pg_temp AS $$
  -- Any router can claim a name, so a name counts only if the operator or an authority vouches for it.
  SELECT r.router_id FROM bmp.tenant_router t JOIN bmp.router r ON r.name = t.router
  WHERE t.tenant = current_setting('silkroute.tenant', true) AND r.name_source IN ('configured', 'certificate')
$$;
COMMENT ON FUNCTION bmp.tenant_routers IS 'Internal: the ids of the routers that the current tenant may read: those whose names are configured or from a certificate';

CREATE OR REPLACE FUNCTION bmp.tenant_peers() RETURNS SETOF integer LANGUAGE sql STABLE SECURITY DEFINER ROWS 100
SET search_path = pg_catalog, pg_temp AS $$
  SELECT p.peer_id FROM bmp.peer p WHERE p.router_id IN (SELECT bmp.tenant_routers())
$$;
COMMENT ON FUNCTION bmp.tenant_peers IS 'Internal: the ids of the peers that the current tenant may read';

CREATE OR REPLACE FUNCTION bmp.tenant_tables() RETURNS TABLE (relation regclass, owned_by text) LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass, (
    SELECT a.attname::text FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = c.oid AND a.attname IN ('router_id', 'peer_id') ORDER BY a.attname DESC LIMIT 1)
  FROM pg_catalog.pg_class c
  WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname NOT IN ('lane_offset', 'alert', 'tenant_router', 'tenant_role', 'flyway_schema_history')
$$;
COMMENT ON FUNCTION bmp.tenant_tables IS 'Internal: the tables that views and queries read, with the column by which a row belongs to a router: null if its rows belong to none';

-- Grants privileges and creates policies for the roles in bmp.tenant_role. Called at each start, because a new version
-- may have new tables and views. Existing policies are not changed.
CREATE OR REPLACE FUNCTION bmp.apply_tenants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reader bmp.tenant_role;
  t record;
  policy text;
  view regclass;
BEGIN
  IF NOT EXISTS (SELECT FROM bmp.tenant_role) THEN
    RETURN;
  END IF;
  FOR t IN SELECT relation, owned_by, c.relrowsecurity AS secured
      FROM bmp.tenant_tables() JOIN pg_catalog.pg_class c ON c.oid = relation LOOP
    FOR reader IN SELECT * FROM bmp.tenant_role LOOP
      EXECUTE format('GRANT SELECT ON %s TO %I', t.relation, reader.role);
      policy := CASE WHEN reader.sees_all THEN 'all_' ELSE 'own_' END || reader.role;
      IF t.owned_by IS NOT NULL AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = t.relation AND p.polname = policy) THEN
        EXECUTE format('CREATE POLICY %I ON %s FOR SELECT TO %I USING (%s)', policy, t.relation, reader.role,
          CASE WHEN reader.sees_all THEN 'true'
            WHEN t.owned_by = 'router_id' THEN 'router_id = ANY (ARRAY(SELECT bmp.tenant_routers()))'
            ELSE 'peer_id = ANY (ARRAY(SELECT bmp.tenant_peers()))' END);
      END IF;
    END LOOP;
    IF t.owned_by IS NOT NULL AND NOT t.secured THEN
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.relation);
    END IF;
  END LOOP;
  -- A view reads with the privileges of its owner, who is exempt from policies, unless it has security_invoker.
  FOR view IN SELECT c.oid FROM pg_catalog.pg_class c WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind = 'v' LOOP
    IF NOT coalesce((SELECT c.reloptions @> '{security_invoker=true}' FROM pg_catalog.pg_class c WHERE c.oid = view), false) THEN
      EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', view);
    END IF;
    FOR reader IN SELECT * FROM bmp.tenant_role LOOP
      EXECUTE format('GRANT SELECT ON %s TO %I', view, reader.role);
    END LOOP;
  END LOOP;
  FOR reader IN SELECT * FROM bmp.tenant_role LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA bmp TO %I', reader.role);
  END LOOP;
END $$;
COMMENT ON FUNCTION bmp.apply_tenants IS 'Internal: grants privileges and creates policies for the roles in bmp.tenant_role';

CREATE OR REPLACE FUNCTION bmp.keep_tenants_apart(reader name, sees_all boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = reader) THEN
    RAISE 'role % does not exist', reader;
  END IF;
  IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = reader AND (rolsuper OR rolbypassrls))
      OR pg_has_role(reader, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = 'bmp.router'::regclass), 'USAGE') THEN
    RAISE 'row level security does not apply to role %: it is a superuser, has BYPASSRLS, or has the privileges of the owner', reader;
  END IF;
  FOR t IN SELECT relation FROM bmp.tenant_tables() LOOP
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', 'all_' || reader, t.relation);
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', 'own_' || reader, t.relation);
  END LOOP;
  INSERT INTO bmp.tenant_role VALUES (reader, sees_all) ON CONFLICT (role) DO UPDATE SET sees_all = excluded.sees_all;
  PERFORM bmp.apply_tenants();
END $$;
COMMENT ON FUNCTION bmp.keep_tenants_apart IS 'Restricts a role to the routers of its tenant, or lets it see all. From the first call on, no other role except the owner sees any rows';

-- Without policies a tenant would read the rows of all, so tenants lose their privileges.
CREATE OR REPLACE FUNCTION bmp.end_tenants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reader bmp.tenant_role;
  t record;
BEGIN
  FOR t IN SELECT relation FROM bmp.tenant_tables() WHERE owned_by IS NOT NULL LOOP
    FOR reader IN SELECT * FROM bmp.tenant_role LOOP
      EXECUTE format('DROP POLICY IF EXISTS %I ON %s', 'all_' || reader.role, t.relation);
      EXECUTE format('DROP POLICY IF EXISTS %I ON %s', 'own_' || reader.role, t.relation);
    END LOOP;
    EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', t.relation);
  END LOOP;
  FOR reader IN SELECT * FROM bmp.tenant_role WHERE NOT sees_all LOOP
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA bmp FROM %I', reader.role);
    EXECUTE format('REVOKE ALL ON SCHEMA bmp FROM %I', reader.role);
  END LOOP;
  DELETE FROM bmp.tenant_role;
END $$;
COMMENT ON FUNCTION bmp.end_tenants IS 'Undoes keep_tenants_apart for all roles: other roles see all rows again for which they have privileges, and the roles of tenants lose theirs';
REVOKE ALL ON FUNCTION bmp.keep_tenants_apart(name, boolean), bmp.apply_tenants(), bmp.end_tenants() FROM PUBLIC;
