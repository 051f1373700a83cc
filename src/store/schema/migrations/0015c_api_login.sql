-- Browsers that are logged in by a token: login_hash is the SHA-256 of their cookie.
CREATE TABLE IF NOT EXISTS api_login (
  login_hash BINARY(32) NOT NULL PRIMARY KEY,
  token_id CHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  made_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  KEY api_login_by_token (token_id, made_at),
  KEY api_login_by_age (expires_at)
) ENGINE = InnoDB
