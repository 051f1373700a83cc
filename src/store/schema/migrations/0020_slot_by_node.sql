-- A node finds its own slots by its name, to take those away that it may not run any more.
ALTER TABLE slot ADD KEY slot_by_node (node_name, job_id)
