-- Groups of nodes by name, which the targets of jobs name; members is a JSON list of node names.
CREATE TABLE IF NOT EXISTS node_group (
  group_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  members MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  changed_at DATETIME(3) NOT NULL
) ENGINE = InnoDB
