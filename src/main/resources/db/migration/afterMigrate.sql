-- If the TimescaleDB extension is installed, the history becomes a hypertable while it is empty. A failure does not
-- prevent the start: the history remains partitioned, and the log contains the reason.
DO $$
BEGIN
  IF to_regproc('create_hypertable') IS NOT NULL AND NOT bmp.is_hypertable() AND NOT EXISTS (SELECT FROM bmp.route_event) THEN
    PERFORM bmp.use_timescaledb();
  END IF;
EXCEPTION WHEN others THEN
  RAISE WARNING 'TimescaleDB is installed, but the history remains in plain partitions: %', SQLERRM;
END $$;

-- Applies the tenant policies to tables and views that a new version has added or replaced.
DO $$
BEGIN
  IF to_regproc('bmp.apply_tenants') IS NOT NULL THEN
    PERFORM bmp.apply_tenants();
  END IF;
END $$;
