-- Slots that stand idle have no session: behind that, of one stripe, in the order in which they are
-- due. A node of a large cluster reads what is due of its own stripes. The index keeps its name and
-- all that it had, for nodes of earlier releases, and only reaches further: one more of its own
-- would have to be written with every state of a run.
ALTER TABLE slot
  DROP KEY slot_by_session,
  ADD KEY slot_by_session (session_id, stripe, state, next_run_at, node_name, target_id)
