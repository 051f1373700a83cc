-- How the last run of a job ended if it did not succeed, so that a list of those that failed reads
-- no others: by name and by age, and of one group. NULL: it is to be looked up in the history.
ALTER TABLE job
  ADD COLUMN last_failure VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
  ADD KEY job_by_failure (last_failure, removed_no, name),
  ADD KEY job_by_failure_age (last_failure, removed_no, job_id),
  ADD KEY job_by_target_failure (target_id, last_failure, removed_no, name)
