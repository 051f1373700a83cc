-- When a token let a request in last, to ten minutes; NULL: never since this column is there.
ALTER TABLE api_token ADD COLUMN last_used_at DATETIME(3) NULL
