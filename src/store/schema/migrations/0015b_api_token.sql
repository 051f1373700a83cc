-- Tokens of the API: token_id is the part that is shown, token_hash the SHA-256 of the whole text.
-- revoked_no is '' until the token is revoked, then its own id, so that its name is free again.
CREATE TABLE IF NOT EXISTS api_token (
  token_id CHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  token_hash BINARY(32) NOT NULL,
  token_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  job_groups LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  made_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NULL,
  revoked_at DATETIME(3) NULL,
  revoked_no CHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  UNIQUE KEY api_token_by_name (token_name, revoked_no)
) ENGINE = InnoDB
