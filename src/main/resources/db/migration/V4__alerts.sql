-- Alerts on routes. The row of an alert has its newest record of bmp.alerts, except that which closes it.
CREATE TABLE bmp.alert (
  alert_id text NOT NULL,
  alert_key text NOT NULL,
  opened_at timestamptz NOT NULL,
  notified_at timestamptz NOT NULL,
  closed_at timestamptz,
  record jsonb NOT NULL,
  PRIMARY KEY (opened_at, alert_id));
CREATE UNIQUE INDEX alert_open ON bmp.alert (alert_key) WHERE closed_at IS NULL;
COMMENT ON TABLE bmp.alert IS 'Alerts on routes, open and closed';
