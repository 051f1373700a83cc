-- The runs that ended in one way, in the order of their ends: those that failed may be few.
ALTER TABLE run ADD KEY run_by_result (result, ended_at)
