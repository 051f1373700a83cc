-- A pause that ends by itself: at resume_at, while the job still has the revision that the pause
-- made, or an edit since.
ALTER TABLE job
  ADD COLUMN resume_at DATETIME(3) NULL,
  ADD COLUMN resume_revision INT UNSIGNED NULL,
  ADD KEY job_by_resume (resume_at)
