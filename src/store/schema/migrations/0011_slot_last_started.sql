-- When the slot's last launch started that executed: with ended_at it tells which ticks fell into
-- that run. NULL: before this was noted.
ALTER TABLE slot ADD COLUMN last_started_at DATETIME(3) NULL
