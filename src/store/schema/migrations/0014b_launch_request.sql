-- What was asked for with a launch beside the job's definition: variables (a JSON object) and the
-- node that shall run it. For a start by a chain the row is also the note that the end of the
-- upstream has been dealt with, so that it starts the job once.
CREATE TABLE IF NOT EXISTS launch_request (
  job_id BIGINT UNSIGNED NOT NULL,
  request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  env LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  wanted_node VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  asked_at DATETIME(3) NOT NULL,
  PRIMARY KEY (job_id, request_id),
  KEY launch_request_by_node (wanted_node),
  KEY launch_request_by_age (asked_at)
) ENGINE = InnoDB
