-- History: one row per launch that was started, and one per tick, or range of ticks, that ended
-- without one (launch_id NULL; scheduled_until and ticks tell the range, both ends included).
CREATE TABLE IF NOT EXISTS run (
  run_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  job_id BIGINT UNSIGNED NOT NULL,
  revision INT UNSIGNED NOT NULL,
  node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  slot_no INT UNSIGNED NOT NULL DEFAULT 0,
  launch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
  triggered_by VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  attempt INT UNSIGNED NOT NULL,
  is_final TINYINT UNSIGNED NOT NULL DEFAULT 1,
  scheduled_for DATETIME(3) NOT NULL,
  scheduled_until DATETIME(3) NULL,
  ticks INT UNSIGNED NOT NULL DEFAULT 1,
  started_at DATETIME(3) NULL,
  ended_at DATETIME(3) NOT NULL,
  result VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  exit_code INT NULL,
  term_signal VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
  reason VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  output_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
  UNIQUE KEY run_by_launch (launch_id),
  KEY run_by_job (job_id, ended_at),
  KEY run_by_ended (ended_at),
  KEY run_by_request (request_id)
) ENGINE = InnoDB
