-- From when on a job's history is whole: rows of ticks before it may have been cleaned away.
ALTER TABLE job ADD COLUMN history_from DATETIME(3) NULL
