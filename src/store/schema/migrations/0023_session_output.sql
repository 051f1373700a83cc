-- Where the node writes the whole output of its runs, as JSON: {"files": FOLDER}. NULL: nowhere. A
-- node of an earlier release writes none, and reads it nowhere.
ALTER TABLE session
  ADD COLUMN output_places VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL
