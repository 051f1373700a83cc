-- Small facts about the database itself, e.g. that the samples were added once.
CREATE TABLE IF NOT EXISTS note (
  note_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  note_value VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE = InnoDB
