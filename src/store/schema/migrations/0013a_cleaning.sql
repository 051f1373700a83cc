-- One row: which session cleans the history until when, how far it has come through the jobs (NULL:
-- through all of them), and when the next pass is due.
CREATE TABLE IF NOT EXISTS cleaning (
  cleaning_id INT UNSIGNED NOT NULL PRIMARY KEY,
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  until_at DATETIME(3) NOT NULL,
  job_id BIGINT UNSIGNED NULL,
  due_at DATETIME(3) NOT NULL
) ENGINE = InnoDB
