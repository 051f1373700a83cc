-- Where a job may run, for whoever has not read its definition: every_node tells the kind,
-- target_id is a row of target, or 0 when any node of any release may take it.
ALTER TABLE job
  ADD COLUMN every_node TINYINT UNSIGNED NOT NULL DEFAULT 0,
  ADD COLUMN target_id INT UNSIGNED NOT NULL DEFAULT 0,
  ADD KEY job_by_kind (every_node, removed_no, target_id)
