-- The outbox of notices: each is written once, by its stable_id, in the transaction that writes
-- what it tells of. state: waiting, sent, digested (told in another one), dropped (nothing to tell
-- any more), given_up. since_at: when it was first due; due_at: when it is tried next. launch_id:
-- of the launch whose end takes it back.
CREATE TABLE IF NOT EXISTS notice (
  notice_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  stable_id VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  target_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  event VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  launch_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  facts TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'waiting',
  created_at DATETIME(3) NOT NULL,
  since_at DATETIME(3) NOT NULL,
  due_at DATETIME(3) NOT NULL,
  tries INT UNSIGNED NOT NULL DEFAULT 0,
  ended_at DATETIME(3) NULL,
  last_error VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  UNIQUE KEY notice_once (stable_id),
  KEY notice_by_due (target_name, state, due_at),
  KEY notice_by_launch (launch_id),
  KEY notice_by_end (state, ended_at)
) ENGINE = InnoDB
