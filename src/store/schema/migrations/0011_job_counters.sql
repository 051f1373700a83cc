-- For jobs that end of themselves: ticks that ran, and that failed for good one after the other,
-- since the job was made or resumed.
ALTER TABLE job
  ADD COLUMN ticks_run INT UNSIGNED NOT NULL DEFAULT 0,
  ADD COLUMN failures_in_row INT UNSIGNED NOT NULL DEFAULT 0
