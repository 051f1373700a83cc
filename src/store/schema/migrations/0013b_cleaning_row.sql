-- INSERT IGNORE, so that a migration that was cut short can run again.
INSERT IGNORE INTO cleaning (cleaning_id, until_at, job_id, due_at) VALUES (1, NOW(3), 0, NOW(3))
