-- How many launches of a group of jobs may be held at once in the whole cluster. The row is also
-- the lock under which they are counted, so that it is written by every claim that counts.
CREATE TABLE IF NOT EXISTS job_group (
  group_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  concurrency_max INT UNSIGNED NOT NULL,
  taken BIGINT UNSIGNED NOT NULL DEFAULT 0,
  changed_at DATETIME(3) NOT NULL
) ENGINE = InnoDB
