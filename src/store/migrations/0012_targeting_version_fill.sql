INSERT IGNORE INTO targeting_version (version_id, version) VALUES (1, 1)
