-- target_id says who may claim, created_at since when the slot of a node owes its ticks (NULL:
-- since the job was made). The index keeps its name, its order and all that it had, and only
-- reaches further, so that nodes of earlier releases go on by it: what a node may not take is left
-- out without reading a row.
ALTER TABLE slot
  ADD COLUMN target_id INT UNSIGNED NOT NULL DEFAULT 0,
  ADD COLUMN created_at DATETIME(3) NULL,
  DROP KEY slot_by_due,
  ADD KEY slot_by_due (state, next_run_at, stripe, node_name, target_id)
