-- Who changed what, written in the transaction of the change. before_value and after_value are
-- JSON, NULL where there was or is nothing; answer is what the change came to, kept for a repeat
-- of the same request (key_hash: its idempotency key).
CREATE TABLE IF NOT EXISTS audit_log (
  audit_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  happened_at DATETIME(3) NOT NULL,
  actor VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  via VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  address VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  action VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  target VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  job_group VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  before_value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  after_value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  answer LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  key_hash BINARY(32) NULL,
  KEY audit_log_by_age (happened_at),
  KEY audit_log_by_target (target, audit_id),
  KEY audit_log_by_key (key_hash)
) ENGINE = InnoDB
