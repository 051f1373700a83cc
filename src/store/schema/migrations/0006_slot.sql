-- The lifecycle row: hot and narrow. next_run_at is what is due next (the earlier of cursor_at and
-- the earliest pending launch; while a launch is prepared, when it ought to start), cursor_at the
-- next tick that nobody has claimed. slot_by_due serves the claim, slot_by_session the compensator
-- and reaper.
CREATE TABLE IF NOT EXISTS slot (
  slot_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  job_id BIGINT UNSIGNED NOT NULL,
  node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  slot_no INT UNSIGNED NOT NULL DEFAULT 0,
  stripe TINYINT UNSIGNED NOT NULL,
  state VARCHAR(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'idle',
  next_run_at DATETIME(3) NULL,
  cursor_at DATETIME(3) NULL,
  revision INT UNSIGNED NULL,
  triggered_by VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  attempt INT UNSIGNED NULL,
  scheduled_for DATETIME(3) NULL,
  launch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  started_at DATETIME(3) NULL,
  ended_at DATETIME(3) NULL,
  stop_requested_at DATETIME(3) NULL,
  UNIQUE KEY slot_by_job (job_id, node_name, slot_no),
  UNIQUE KEY slot_by_launch (launch_id),
  KEY slot_by_due (state, next_run_at, stripe, node_name),
  KEY slot_by_session (session_id, stripe)
) ENGINE = InnoDB
