import type { JSX } from 'preact';
import { newestSessions, Renewed, type Session, stateOfNode } from '../../nodes/session.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';

/** The nodes, each once: its present session, or the last one that ended lately. */
export function NowNodes({ sessions }: { readonly sessions: readonly Session[] }): JSX.Element {
  const nodes = newestSessions(sessions);
  return (
    <Section title="Nodes" tools={<a href={linkTo(['cluster'])}>Show the cluster</a>}>
      <Scrolls label="Nodes">
        <table class="stacks">
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">State</th>
              <th scope="col">Level</th>
              <th scope="col">Running</th>
              <th scope="col">Prepared</th>
              <th scope="col">Lease renewed</th>
              <th scope="col">Version</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((session) => (
              <tr key={session.sessionId}>
                <td>
                  <strong>{showLine(session.node)}</strong>
                </td>
                <td class="nowrap">
                  <StatusBadge status={stateOfNode(session)} />
                </td>
                <td class="number" data-label="level">
                  {session.level}
                </td>
                <td class="number nowrap" data-label="running">
                  {session.executing} of {session.concurrency}
                </td>
                <td class="number" data-label="prepared">
                  {session.prepared}
                </td>
                <td class="number nowrap" data-label="renewed">
                  <Renewed session={session} />
                </td>
                <td class="nowrap quiet" data-label="version">
                  {showLine(session.version)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </Section>
  );
}
