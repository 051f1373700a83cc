/** The id of the machine that a snapshot is of; null: of a promise, or of nothing yet. */
export function machineOf(snapshot: unknown): string | null {
  const { machine } = (snapshot ?? {}) as { machine?: { id?: unknown } };
  return typeof machine?.id === 'string' ? machine.id : null;
}

/** Where a machine stands, as a path: `resting`, `prepare.waiting`. No machine here is parallel. */
export function stateOf(snapshot: unknown): string {
  const steps: string[] = [];
  let value = (snapshot as { value?: unknown } | undefined)?.value;
  while (typeof value === 'object' && value !== null) {
    const [entry] = Object.entries(value);
    if (entry === undefined) break;
    steps.push(entry[0]);
    value = entry[1];
  }
  if (typeof value === 'string') steps.push(value);
  return steps.join('.');
}

/** What an actor is called: by its name in the system, or, as those of slots are, by its id. */
export function nameOf(actor: object): string {
  const { id, systemId } = actor as { id?: string; systemId?: string };
  return systemId ?? id ?? '';
}
