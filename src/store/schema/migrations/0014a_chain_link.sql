-- Which job follows which: those of the definitions in force, by the upstream's name. Ends of the
-- upstream from linked_at on start the job; those before swept_until have been looked at.
CREATE TABLE IF NOT EXISTS chain_link (
  job_id BIGINT UNSIGNED NOT NULL,
  upstream VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  wanted VARCHAR(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  linked_at DATETIME(3) NOT NULL,
  swept_until DATETIME(3) NOT NULL,
  PRIMARY KEY (job_id, upstream),
  KEY chain_link_by_upstream (upstream),
  KEY chain_link_by_sweep (swept_until)
) ENGINE = InnoDB
