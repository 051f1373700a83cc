import { until } from '../../support/until.ts';
import { administrator } from './accounts.ts';
import type { ClusterPart, ServerMember } from './serverMember.ts';

const joinMsMax = 180_000;
const lostMsMin = 5_000;

/** A member's own view of the group. */
interface View {
  readonly member: ServerMember;
  /** ONLINE, RECOVERING, ERROR, OFFLINE; empty when it does not answer. */
  readonly state: string;
  /** Which view of the group it has; members that see the same have the same. */
  readonly viewId: string;
  /** How many members that view has, the unreachable included. */
  readonly size: number;
}

/** The members of a replication group as one whole: who starts it, who joins it again. */
export class GroupCluster implements ClusterPart {
  readonly members: ServerMember[] = [];
  /** Since when no majority was seen. */
  #lostAtMs: number | null = null;

  async prepare(): Promise<readonly string[]> {
    return [];
  }

  /** Joins the group that works; when none does, all that are alive make a new one. */
  async join(member: ServerMember): Promise<void> {
    await until(`${member.name} is online`, () => this.#tryToJoin(member), joinMsMax);
  }

  isolate(): Promise<void> {
    return Promise.reject(new Error('on loopback no member can be parted from its group'));
  }

  /** After it was expelled, e.g. because it was stopped. */
  async rejoin(member: ServerMember): Promise<void> {
    await this.join(member);
  }

  /** Makes the group anew from the one of these that has the most transactions. */
  async bootstrap(candidates: readonly ServerMember[]): Promise<void> {
    const first = await mostAdvanced(candidates);
    await first.query(
      'SET GLOBAL group_replication_bootstrap_group = ON',
      startGroup(first),
      'SET GLOBAL group_replication_bootstrap_group = OFF',
    );
  }

  /** Only when the majority stays away: between two views members disagree for a moment. */
  async #startAnew(views: readonly View[]): Promise<void> {
    this.#lostAtMs ??= performance.now();
    // One that is silent is starting, or stopped, and may be the one that knows most.
    if (views.some(({ state }) => state === '')) return;
    if (performance.now() - this.#lostAtMs < lostMsMin) return;
    // A member without its majority needs a minute and more to leave by STOP GROUP_REPLICATION.
    for (const { member, state } of views) if (state !== 'OFFLINE') await member.kill();
    const members = views.map(({ member }) => member);
    await Promise.all(members.map((member) => member.startAlone()));
    await this.bootstrap(members);
    this.#lostAtMs = null;
  }

  async #tryToJoin(member: ServerMember): Promise<boolean> {
    const alive = this.members.filter(({ processId }) => processId !== null);
    const views = await Promise.all(alive.map(readView));
    const majority = majorityOf(views);
    const own = views.find((view) => view.member === member);
    if (majority === null) {
      await this.#startAnew(views);
      return false;
    }
    this.#lostAtMs = null;
    if (own?.state === 'ONLINE') return own.viewId === majority;
    if (own?.state === 'OFFLINE' || own?.state === 'ERROR') {
      const start = ['STOP GROUP_REPLICATION', startGroup(member)];
      await member.query(...start).catch(() => {
        // Refused while the group still counts its earlier life; then a later try is heard.
      });
    }
    return false;
  }
}

/**
 * The view that more than half of its members have. Who counts the dead has not noticed yet and may
 * stop working when it does, so it is not enough that one member sees a majority.
 */
function majorityOf(views: readonly View[]): string | null {
  for (const { viewId, size } of views) {
    const sharing = views.filter((view) => view.state === 'ONLINE' && view.viewId === viewId);
    if (viewId !== '' && sharing.length * 2 > size) return viewId;
  }
  return null;
}

function startGroup(member: ServerMember): string {
  const { password } = member.plan.accounts;
  return `START GROUP_REPLICATION USER = '${administrator}', PASSWORD = '${password}'`;
}

async function readView(member: ServerMember): Promise<View> {
  const [row] = await member.query(selectView).catch(() => []);
  return {
    member,
    state: row === undefined ? '' : String(row.own_state ?? 'OFFLINE'),
    viewId: String(row?.view_id ?? ''),
    size: Number(row?.size ?? 0),
  };
}

async function mostAdvanced(candidates: readonly ServerMember[]): Promise<ServerMember> {
  let [best] = candidates;
  if (best === undefined) throw new Error('no member is alive');
  for (const other of candidates) {
    const [theirs] = await other.query('SELECT @@global.gtid_executed AS done');
    const [own] = await best.query(
      `SELECT GTID_SUBSET('${String(theirs?.done)}', @@global.gtid_executed) AS has_all`,
    );
    if (Number(own?.has_all) === 0) best = other;
  }
  return best;
}

const selectView = `SELECT
    (SELECT member_state FROM performance_schema.replication_group_members
      WHERE member_id = @@global.server_uuid) AS own_state,
    (SELECT view_id FROM performance_schema.replication_group_member_stats
      WHERE member_id = @@global.server_uuid) AS view_id,
    (SELECT COUNT(*) FROM performance_schema.replication_group_members) AS size`;
