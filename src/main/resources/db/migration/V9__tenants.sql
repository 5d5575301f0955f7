-- Who may see which routers, where tenants are kept apart: docs/sql.md. Nothing of it counts before bmp.keep_tenants_apart() is called.

-- A router by its name, so that it can be given to a tenant before it was ever heard of; to several, if need be.
CREATE TABLE bmp.tenant_router (
  tenant text NOT NULL,
  router text NOT NULL,
  PRIMARY KEY (tenant, router)
);

-- Roles that read under these rules. One that sees all is for people and tools that are nobody's tenant.
CREATE TABLE bmp.tenant_role (
  role name PRIMARY KEY,
  sees_all boolean NOT NULL
);
