-- What operators have muted (statecron notify mute): a job, a group of jobs or a target of
-- notifications, by name. job_id: of a job, so that a later one of the name is not muted. A row
-- stays for a while after until_at: whether a recovery is sent depends on what its failure was. A
-- node of an earlier release reads none of it.
CREATE TABLE IF NOT EXISTS notice_mute (
  muted_kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  muted_name VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  job_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  since_at DATETIME(3) NOT NULL,
  until_at DATETIME(3) NOT NULL,
  muted_by VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  mute_note VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  PRIMARY KEY (muted_kind, muted_name)
) ENGINE = InnoDB
