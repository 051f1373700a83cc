-- Says that draining was set by an operator, who may take it back, and not by a node that leaves.
ALTER TABLE session ADD COLUMN cordoned TINYINT UNSIGNED NOT NULL DEFAULT 0
