/**
 * Whether a version is another or a later one, by the order of semantic versioning; a pre-release
 * comes before its release. A version that cannot be read is at least nothing.
 */
export function isVersionAtLeast(version: string, least: string): boolean {
  const [own, other] = [partsOf(version), partsOf(least)];
  if (own === null || other === null) return false;
  for (const [place, number] of own.numbers.entries()) {
    const wanted = other.numbers[place] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return !own.isEarly || other.isEarly;
}

function partsOf(version: string): { numbers: number[]; isEarly: boolean } | null {
  const match = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.exec(version);
  if (match === null) return null;
  return { numbers: match.slice(1, 4).map(Number), isEarly: match[4] !== undefined };
}
