-- Where notices go, by name. events, long_ms: what it is told of every job. session_id, until_at:
-- who sends to it until when, so that no other node does. minute_from, minute_count: how many
-- messages it got since a minute began. rest_until: after a failure it is left alone for a while.
CREATE TABLE IF NOT EXISTS notice_target (
  target_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  address VARCHAR(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  secret VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NULL,
  events VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  long_ms BIGINT UNSIGNED NULL,
  minute_max INT UNSIGNED NOT NULL,
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  until_at DATETIME(3) NOT NULL,
  minute_from DATETIME(3) NOT NULL,
  minute_count INT UNSIGNED NOT NULL DEFAULT 0,
  rest_until DATETIME(3) NOT NULL,
  failures INT UNSIGNED NOT NULL DEFAULT 0,
  last_sent_at DATETIME(3) NULL,
  last_error VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  created_at DATETIME(3) NOT NULL
) ENGINE = InnoDB
