-- What targeting asks of a node. The defaults are what a node of an earlier release is: level 1,
-- without labels, and it understands definitions of format 2.
ALTER TABLE session
  ADD COLUMN level INT NOT NULL DEFAULT 1,
  ADD COLUMN labels VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '[]',
  ADD COLUMN definition_format INT UNSIGNED NOT NULL DEFAULT 2,
  ADD COLUMN draining TINYINT UNSIGNED NOT NULL DEFAULT 0
