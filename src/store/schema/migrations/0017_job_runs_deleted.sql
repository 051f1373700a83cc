-- The highest number of a history row of the job that was cleaned away: whoever goes on reading
-- the history from an earlier one is told that rows are missing.
ALTER TABLE job
  ADD COLUMN runs_deleted_until BIGINT UNSIGNED NOT NULL DEFAULT 0,
  ADD KEY job_by_runs_deleted (runs_deleted_until)
