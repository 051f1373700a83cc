-- The nodes that an operator has kept from new work (statecron node cordon), by name, since the
-- next session of the name is to find it. held_until: when it was lifted; the last hold of a name
-- stays, so that the history can say why ticks were missed. A node of an earlier release reads
-- none of it.
CREATE TABLE IF NOT EXISTS node_hold (
  node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
  held_since DATETIME(3) NOT NULL,
  held_until DATETIME(3) NULL,
  held_by VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  hold_note VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT ''
) ENGINE = InnoDB
