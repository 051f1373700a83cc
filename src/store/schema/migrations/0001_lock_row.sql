-- Locks are rows that a transaction writes: 0 to 63 are task stripes, 64 is session management.
CREATE TABLE IF NOT EXISTS lock_row (
  lock_id INT UNSIGNED NOT NULL PRIMARY KEY,
  taken BIGINT UNSIGNED NOT NULL DEFAULT 0
) ENGINE = InnoDB
