-- TimescaleDB is used when the extension is there: the history becomes a hypertable, as long as nothing is in it. What the extension
-- refuses is no reason not to start: the history stays in plain partitions, and the log says why.
DO $$
BEGIN
  IF to_regproc('create_hypertable') IS NOT NULL AND NOT bmp.is_hypertable() AND NOT EXISTS (SELECT FROM bmp.route_event) THEN
    PERFORM bmp.use_timescaledb();
  END IF;
EXCEPTION WHEN others THEN
  RAISE WARNING 'TimescaleDB is there, but the history stays in plain partitions: %', SQLERRM;
END $$;

-- Tenants that are kept apart stay so: an update may have brought new tables, and made views anew.
DO $$
BEGIN
  IF to_regproc('bmp.apply_tenants') IS NOT NULL THEN
    PERFORM bmp.apply_tenants();
  END IF;
END $$;
