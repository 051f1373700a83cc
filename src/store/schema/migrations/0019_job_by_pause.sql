-- The paused jobs in the order of their names, and the others.
ALTER TABLE job ADD KEY job_by_pause (paused, removed_no, name)
