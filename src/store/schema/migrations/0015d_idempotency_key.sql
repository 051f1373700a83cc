-- Requests that came with an Idempotency-Key: key_hash is the SHA-256 of caller and key,
-- request_hash of what was asked for. status is NULL until the answer is kept; taken_no is the
-- number of the request that holds the key, and every change that it commits adds to changes.
CREATE TABLE IF NOT EXISTS idempotency_key (
  key_hash BINARY(32) NOT NULL PRIMARY KEY,
  request_hash BINARY(32) NOT NULL,
  made_at DATETIME(3) NOT NULL,
  taken_at DATETIME(3) NOT NULL,
  taken_no INT UNSIGNED NOT NULL DEFAULT 1,
  changes INT UNSIGNED NOT NULL DEFAULT 0,
  status SMALLINT UNSIGNED NULL,
  headers LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  body LONGBLOB NULL,
  KEY idempotency_key_by_age (made_at)
) ENGINE = InnoDB
