-- One row, whose number is another after every change of a group, of a target or of an every-node
-- job, so that nodes notice.
CREATE TABLE IF NOT EXISTS targeting_version (
  version_id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
  version BIGINT UNSIGNED NOT NULL
) ENGINE = InnoDB
