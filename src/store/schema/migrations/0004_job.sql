-- A job by its name. A removed one keeps its row for the history, with its own id in removed_no, so
-- that the name is free again.
CREATE TABLE IF NOT EXISTS job (
  job_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  removed_no BIGINT UNSIGNED NOT NULL DEFAULT 0,
  revision INT UNSIGNED NOT NULL,
  paused TINYINT UNSIGNED NOT NULL DEFAULT 0,
  created_at DATETIME(3) NOT NULL,
  removed_at DATETIME(3) NULL,
  UNIQUE KEY job_by_name (name, removed_no)
) ENGINE = InnoDB
