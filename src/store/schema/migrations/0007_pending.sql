-- Launches asked for that are not the next tick.
CREATE TABLE IF NOT EXISTS pending (
  pending_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  job_id BIGINT UNSIGNED NOT NULL,
  node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  triggered_by VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  scheduled_for DATETIME(3) NOT NULL,
  attempt INT UNSIGNED NOT NULL DEFAULT 1,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  not_before DATETIME(3) NOT NULL,
  UNIQUE KEY pending_once (job_id, node_name, triggered_by, scheduled_for, attempt, request_id),
  KEY pending_by_due (job_id, node_name, not_before)
) ENGINE = InnoDB
