-- What jobs ask of the nodes that run them, each once; rows never change. definition_format: nodes
-- that do not understand it leave the job to others; job_group: the group that the jobs are of.
CREATE TABLE IF NOT EXISTS target (
  target_id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  target_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  target MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  definition_format INT UNSIGNED NOT NULL,
  job_group VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  UNIQUE KEY target_by_hash (target_hash)
) ENGINE = InnoDB
