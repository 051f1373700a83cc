-- Why a revision was made that no operator asked for, e.g. the pause after too many failures.
ALTER TABLE job_revision
  ADD COLUMN reason VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL
