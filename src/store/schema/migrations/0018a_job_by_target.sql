-- The jobs of a group in the order of their names: a target belongs to one group.
ALTER TABLE job ADD KEY job_by_target (target_id, removed_no, name)
