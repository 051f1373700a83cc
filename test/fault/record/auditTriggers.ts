/**
 * Ledger B: what happened to slot and session rows, written by triggers in the very transactions
 * that did it. Test-only, made straight on the server, and unknown to what is judged. SYSDATE,
 * since NOW() in a trigger is the beginning of the statement, which may have waited for a lock.
 */
export const auditTriggers: readonly string[] = [
  `CREATE TABLE audit_row (
    audit_order BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    at DATETIME(6) NOT NULL,
    connection_no BIGINT UNSIGNED NOT NULL,
    slot_id BIGINT UNSIGNED NULL,
    job_id BIGINT UNSIGNED NULL,
    session_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    node_name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    beats BIGINT UNSIGNED NULL,
    old_state VARCHAR(9) NULL, new_state VARCHAR(9) NOT NULL,
    old_launch VARCHAR(64) NULL, new_launch VARCHAR(64) NULL,
    old_session VARCHAR(32) NULL, new_session VARCHAR(32) NULL,
    old_revision INT UNSIGNED NULL, new_revision INT UNSIGNED NULL,
    old_scheduled DATETIME(3) NULL, new_scheduled DATETIME(3) NULL,
    old_cursor DATETIME(3) NULL, new_cursor DATETIME(3) NULL
  ) ENGINE = InnoDB`,
  `CREATE TRIGGER audit_slot AFTER UPDATE ON slot FOR EACH ROW
    IF NOT (OLD.state <=> NEW.state AND OLD.launch_id <=> NEW.launch_id
      AND OLD.session_id <=> NEW.session_id AND OLD.revision <=> NEW.revision
      AND OLD.scheduled_for <=> NEW.scheduled_for AND OLD.cursor_at <=> NEW.cursor_at)
    THEN
      INSERT INTO audit_row (at, connection_no, slot_id, job_id, old_state, new_state,
        old_launch, new_launch, old_session, new_session, old_revision, new_revision,
        old_scheduled, new_scheduled, old_cursor, new_cursor)
      VALUES (SYSDATE(6), CONNECTION_ID(), NEW.slot_id, NEW.job_id, OLD.state, NEW.state,
        OLD.launch_id, NEW.launch_id, OLD.session_id, NEW.session_id, OLD.revision, NEW.revision,
        OLD.scheduled_for, NEW.scheduled_for, OLD.cursor_at, NEW.cursor_at);
    END IF`,
  `CREATE TRIGGER audit_session_made AFTER INSERT ON session FOR EACH ROW
    INSERT INTO audit_row (at, connection_no, session_id, node_name, beats, old_state, new_state)
    VALUES (SYSDATE(6), CONNECTION_ID(), NEW.session_id, NEW.node_name, NEW.beats,
      NULL, NEW.state)`,
  `CREATE TRIGGER audit_session AFTER UPDATE ON session FOR EACH ROW
    IF OLD.state <> NEW.state THEN
      INSERT INTO audit_row (at, connection_no, session_id, node_name, beats, old_state, new_state)
      VALUES (SYSDATE(6), CONNECTION_ID(), NEW.session_id, NEW.node_name, NEW.beats,
        OLD.state, NEW.state);
    END IF`,
];
