-- Output apart from the history row: it is written before the finish, so that transactions stay
-- small.
CREATE TABLE IF NOT EXISTS run_output (
  launch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  output LONGBLOB NOT NULL,
  written_at DATETIME(3) NOT NULL,
  KEY run_output_by_age (written_at)
) ENGINE = InnoDB
