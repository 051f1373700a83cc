-- One life of a node process. The row stays after its end while history needs it.
-- reaped_at: when no slot of an ended session was left; with it the live and the unreaped are few.
CREATE TABLE IF NOT EXISTS session (
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state VARCHAR(5) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  beats BIGINT UNSIGNED NOT NULL DEFAULT 0,
  ttl_ms INT UNSIGNED NOT NULL,
  started_at DATETIME(3) NOT NULL,
  renewed_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  ended_why VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  reaped_at DATETIME(3) NULL,
  host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  process_id INT UNSIGNED NOT NULL,
  guardian_process_id INT UNSIGNED NULL,
  version VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  timezone_data VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  capacity INT UNSIGNED NOT NULL,
  concurrency INT UNSIGNED NOT NULL,
  KEY session_by_reaped (reaped_at, state),
  KEY session_by_node_name (node_name, state)
) ENGINE = InnoDB
