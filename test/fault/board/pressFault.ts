import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { connectOutside } from '../world/connectOutside.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import type { BoardWorld } from './boardWorld.ts';
import type { FaultProbe } from './faultProbe.ts';
import { probeFault } from './faultProbes.ts';

const pressesMax = 20;
/** A busy machine misses the moment of a fault, and takes long to start a node that died often. */
const patienceMs = 600_000;

/**
 * Presses a kind and sees by its probe that it takes effect; heals it on the board where it lasts,
 * and sees that nothing is left of it.
 */
export async function pressFault(kind: FaultKind, board: BoardWorld): Promise<void> {
  const { page, table } = board;
  const { world } = table;
  await until('all is well before', () => isWell(world), patienceMs);
  // In turn: one that dies often is started later each time.
  const node = world.nodes[table.healed.length % world.nodes.length] as FaultNode;
  const target = kind.takes === 'node' ? node.name : '';
  await page.getByLabel('Faults of a node go to').selectOption(target);
  const probe = await probeFault(kind, world, node);
  try {
    await until('it is not in effect before', async () => !(await probe.isOn()));
    const times = table.healed.length;
    await until('it takes effect', press(kind, board, probe), patienceMs);
    await healOn(page, kind.kind);
    await until('it is healed', () => table.healed.length > times);
    assert.equal(table.healed.at(-1)?.kind, kind.kind);
    await until('the board shows it', async () => {
      const isCounted = /· \d/.test(await textOf(page, kind.kind));
      return isCounted && !(await isLit(page, kind.kind));
    });
    if (probe.isOnce !== true) await until('its effect is over', async () => !(await isOn(probe)));
  } finally {
    probe.close?.();
  }
  await until('all is well after', () => isWell(world), patienceMs);
}

/** Presses again when it was over before it was seen, or when there was nothing to do it to. */
function press(kind: FaultKind, { page, state, table }: BoardWorld, probe: FaultProbe) {
  const lasting = () => [...state.lasting].filter((fault) => fault.kind === kind.kind);
  const lasts = () => lasting().length > 0;
  const times = table.healed.length;
  /** What others do may look the same, or what is asked for does so in vain. */
  const isDone = () =>
    table.healed.length > times || lasting().some(({ phase }) => phase !== 'asked');
  let presses = 0;
  return async (): Promise<boolean> => {
    if (presses > 0 && isDone() && (await isOn(probe))) return true;
    if (lasts()) return false;
    presses += 1;
    assert.ok(presses <= pressesMax, state.troubles.at(-1));
    const [healed, troubles] = [table.healed.length, state.troubles.length];
    await buttonOf(page, kind.kind).click();
    await until('it is taken or refused', async () => {
      const isTaken = lasts() || table.healed.length > healed;
      if (isTaken || state.troubles.length > troubles) return true;
      return (await page.locator('#said').textContent()) !== '';
    });
    return false;
  };
}

/** While the database is away there is nothing to ask it. */
const isOn = (probe: FaultProbe): Promise<boolean> => probe.isOn().catch(() => false);

const buttonOf = (page: Page, kind: string) =>
  page.locator('#faults button:first-child', { hasText: new RegExp(`^${kind} (· \\d+)?$`) });

const textOf = async (page: Page, kind: string): Promise<string> =>
  (await buttonOf(page, kind).textContent()) ?? '';

async function isLit(page: Page, kind: string): Promise<boolean> {
  return (await buttonOf(page, kind).getAttribute('aria-pressed')) === 'true';
}

/** Unless it has ended by itself in the meantime. */
async function healOn(page: Page, kind: string): Promise<void> {
  const heal = page.locator(`[aria-label="Heal: ${kind}"]`);
  await until('it ends', async () => {
    if (!(await isLit(page, kind))) return true;
    if (await heal.isEnabled()) await heal.click({ timeout: 1_000 }).catch(() => undefined); // over
    return await heal.isHidden();
  });
}

/** Every node serves, its ways lead to the database and its API, and the database takes writes. */
async function isWell({ clock, engine, nodes }: FaultWorld): Promise<boolean> {
  const serve = nodes.every(({ name, nodePid }) => clock.live.get(name)?.processId === nodePid);
  if (!serve || (await engine.writable()).length === 0) return false;
  const works = await Promise.all(nodes.map((node) => waysWork(node).catch(() => false)));
  return works.every(Boolean);
}

async function waysWork({ api, line }: FaultNode): Promise<boolean> {
  const connection = await connectOutside(line.proxies[0]?.url ?? '');
  try {
    await connection.query({ sql: 'SELECT 1', timeout: 2_000 });
  } finally {
    connection.destroy();
  }
  if (api === null) return true;
  return (await fetch(`${api.url}/livez`, { signal: AbortSignal.timeout(2_000) })).ok;
}
