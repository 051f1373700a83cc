-- Every definition with the time it was in force, half open: [in_force_from, in_force_until).
-- A pause is a revision too (paused = 1: no ticks), so that one table tells every due tick.
CREATE TABLE IF NOT EXISTS job_revision (
  job_id BIGINT UNSIGNED NOT NULL,
  revision INT UNSIGNED NOT NULL,
  definition LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  paused TINYINT UNSIGNED NOT NULL DEFAULT 0,
  in_force_from DATETIME(3) NOT NULL,
  in_force_until DATETIME(3) NULL,
  PRIMARY KEY (job_id, revision)
) ENGINE = InnoDB
