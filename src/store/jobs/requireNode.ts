import { OperatorError } from '../../domain/errors.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { isEligible } from '../../domain/targeting/isEligible.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import type { RequestDetails } from './requestLaunch.ts';

/** From this format of definitions on nodes know what comes with a request. */
const requestFormat = 3;

/**
 * Refuses a request that would not be run as it is asked for: for a node that is not live or may
 * not run the job, and any request with something of its own while nodes are live that would run it
 * without.
 * @throws OperatorError `node_away`, `node_not_eligible`, `node_too_old`.
 */
export async function requireNode(
  connection: ChannelConnection,
  jobId: number,
  { env, wantedNode }: RequestDetails,
): Promise<void> {
  if (wantedNode === null && Object.keys(env).length === 0) return;
  const sessions = await connection.query<Row[]>(selectSessions);
  const old = sessions.find((row) => (row.definition_format as number) < requestFormat);
  if (old !== undefined) throw tooOld(old.node_name as string, old.version as string);
  if (wantedNode === null) return;
  const session = sessions.find((row) => row.node_name === wantedNode);
  if (session === undefined) throw away(wantedNode, sessions);
  const [row] = await connection.query<Row[]>(selectDefinition, [jobId]);
  const definition = JSON.parse(row?.definition as string) as JobDefinition;
  const groups = await connection.query<Row[]>(selectGroups);
  const labels = JSON.parse(session.labels as string) as string[];
  const memberships = new Map(
    groups.map((group) => [
      group.group_name as string,
      new Set(JSON.parse(group.members as string) as string[]),
    ]),
  );
  if (isEligible(definition.target, { nodeName: wantedNode, labels }, memberships)) return;
  throw new OperatorError({
    code: 'node_not_eligible',
    message: `The job may not run on the node ${wantedNode}: its target leaves it out.`,
    hint: `See its target: statecron job show ${definition.name}`,
  });
}

function away(wantedNode: string, sessions: readonly Row[]): OperatorError {
  const names = sessions.map((row) => row.node_name as string).sort();
  return new OperatorError({
    code: 'node_away',
    message: `No node of the name ${JSON.stringify(wantedNode)} is live.`,
    hint: `Live are: ${names.length === 0 ? 'none' : names.join(', ')}. See: statecron cluster`,
  });
}

function tooOld(nodeName: string, version: string): OperatorError {
  return new OperatorError({
    code: 'node_too_old',
    message: `The node ${nodeName} (version ${version}) would run it without --env and --node.`,
    hint: 'Upgrade that node first, or ask for a plain run.',
  });
}

const selectSessions = `/* requireNode */ SELECT node_name, version, labels, definition_format
  FROM session WHERE state = 'live'`;
const selectDefinition = `/* requireNode job */ SELECT job_revision.definition
  FROM job JOIN job_revision ON job_revision.job_id = job.job_id
    AND job_revision.revision = job.revision WHERE job.job_id = ?`;
const selectGroups = '/* requireNode groups */ SELECT group_name, members FROM node_group';
