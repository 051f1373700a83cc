-- 1: its node writes `job.last_failure`, which those of earlier versions do not: while one of these
-- has been there of late, nobody reads it.
ALTER TABLE session
  ADD COLUMN keeps_failures TINYINT UNSIGNED NOT NULL DEFAULT 0,
  ADD KEY session_by_failures (keeps_failures, ended_at)
