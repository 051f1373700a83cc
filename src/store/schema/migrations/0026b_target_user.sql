-- The user that the jobs name, so that only nodes take them that run jobs as that user. NULL: none,
-- or a node of an earlier release has written the row, and the node finds out when it starts a run.
ALTER TABLE target
  ADD COLUMN user_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL
