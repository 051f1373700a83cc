-- The targets of a group.
ALTER TABLE target ADD KEY target_by_group (job_group)
