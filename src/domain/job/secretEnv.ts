/**
 * Stands where the value of a secret variable was. Whoever sends it back, in an edit or in a file
 * of jobs, keeps the value that there is.
 */
export const secretMarker = '(secret)';

/**
 * What is shorter than that would be masked out of every other word of an output. The others bound
 * what looking for secrets in an output costs.
 */
export const secretBounds = {
  valueBytesMin: 6,
  namesMax: 32,
  bytesMax: 16 * 1024,
  linesMax: 256,
} as const;

/** The variables of a definition: `secretEnv` has those that nobody is shown. */
interface Variables {
  env: Record<string, string>;
  secretEnv?: Record<string, string>;
}

/** The definition as people and programs get to see it: no value of a secret variable. */
export function hideSecrets<T extends Variables>(definition: T): T {
  const { secretEnv } = definition;
  if (secretEnv === undefined) return definition;
  const names = Object.keys(secretEnv);
  return {
    ...definition,
    secretEnv: Object.fromEntries(names.map((name) => [name, secretMarker])),
  };
}

/**
 * The definition with the values put back that its markers stand for. A marker that there is no
 * value for stays, and `checkSecretEnv` names it.
 */
export function keepSecrets<T extends Variables>(next: T, current: Variables): T {
  const { secretEnv } = next;
  if (secretEnv === undefined) return next;
  const values = new Map(Object.entries(current.secretEnv ?? {}));
  const kept = Object.entries(secretEnv).map(([name, value]) => {
    return [name, value === secretMarker ? (values.get(name) ?? value) : value] as const;
  });
  return { ...next, secretEnv: Object.fromEntries(kept) };
}

/** Names of variables for which a marker was sent and there is no value. */
export function unkeptSecrets({ secretEnv = {} }: Variables): string[] {
  return Object.entries(secretEnv).flatMap(([name, value]) =>
    value === secretMarker ? [name] : [],
  );
}

/** The definition with variables that win over its own; those of secret ones are secret too. */
export function withVariables<T extends Variables>(
  definition: T,
  variables: Readonly<Record<string, string>>,
): T {
  const { secretEnv = {} } = definition;
  const isSecret = ([name]: readonly [string, string]): boolean => Object.hasOwn(secretEnv, name);
  const entries = Object.entries(variables);
  const plain = Object.fromEntries(entries.filter((each) => !isSecret(each)));
  const env = { ...definition.env, ...plain };
  const secrets = entries.filter(isSecret);
  if (secrets.length === 0) return { ...definition, env };
  return { ...definition, env, secretEnv: { ...secretEnv, ...Object.fromEntries(secrets) } };
}

/**
 * What is looked for in outputs: each value, and each line of one that has several, since programs
 * print keys line by line. The longest come first.
 */
export function secretTexts(values: readonly string[]): string[] {
  const { valueBytesMin } = secretBounds;
  const texts = new Set<string>();
  for (const value of values) {
    texts.add(value);
    if (/[\r\n]/.test(value)) for (const line of value.split(/[\r\n]+/)) texts.add(line.trim());
  }
  return [...texts]
    .filter((text) => bytesOf(text) >= valueBytesMin)
    .sort((one, other) => bytesOf(other) - bytesOf(one));
}

/** What is wrong with the secret variables of a job beside their names and texts, or null. */
export function checkSecretEnv({ env, secretEnv = {} }: Variables): string | null {
  const entries = Object.entries(secretEnv);
  const { bytesMax, linesMax, namesMax, valueBytesMin } = secretBounds;
  if (entries.length > namesMax) return `are ${entries.length}; ${namesMax} are allowed`;
  for (const [name, value] of entries) {
    if (Object.hasOwn(env, name)) return `${name} is a plain variable of the job as well`;
    const bytes = bytesOf(value);
    if (bytes >= valueBytesMin) continue;
    return `the value of ${name} has ${bytes} bytes; less than ${valueBytesMin} cannot be masked`;
  }
  const bytes = entries.reduce((sum, [, value]) => sum + bytesOf(value), 0);
  if (bytes > bytesMax) return `have ${bytes} bytes together; ${bytesMax} are allowed`;
  const lines = secretTexts(entries.map(([, value]) => value)).length;
  return lines > linesMax ? `have ${lines} lines together; ${linesMax} are allowed` : null;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
