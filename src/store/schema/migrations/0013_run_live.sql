-- Output of launches that execute, written only while somebody asks for it. Whoever follows renews
-- asked_at; the launch's node then writes the end of the output so far, output_bytes is all of it.
CREATE TABLE IF NOT EXISTS run_live (
  launch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  asked_at DATETIME(3) NOT NULL,
  output LONGBLOB NULL,
  output_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
  written_at DATETIME(3) NULL
) ENGINE = InnoDB
