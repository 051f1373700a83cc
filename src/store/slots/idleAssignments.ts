/** Later than any instant that a schedule can name; stands in for "none" inside LEAST. */
const never = "'9999-12-31 00:00:00.000'";

/**
 * The assignments that make a slot idle, for every arrow that ends there: due again at the earlier
 * of its cursor and its earliest pending launch. A statement that changes the cursor does so before
 * these, since MariaDB and MySQL evaluate assignments from left to right.
 */
export const idleAssignments = `next_run_at = NULLIF(LEAST(
      IFNULL(cursor_at, ${never}),
      IFNULL((SELECT MIN(pending.not_before) FROM pending
        WHERE pending.job_id = slot.job_id AND pending.node_name = slot.node_name), ${never})),
      ${never}),
    state = 'idle', revision = NULL, triggered_by = NULL, request_id = NULL, attempt = NULL,
    scheduled_for = NULL, launch_id = NULL, session_id = NULL, started_at = NULL,
    stop_requested_at = NULL`;
