-- What the actors of each session do and have done, for the pages of other nodes: one row a
-- session, written at most every two seconds and only while somebody looks at one of them. A node
-- of an earlier release writes none.
CREATE TABLE IF NOT EXISTS node_activity (
  session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  reported_at DATETIME(3) NOT NULL,
  activity MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE = InnoDB
