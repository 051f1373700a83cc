type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** An object without what is undefined in it: of a question, what was not asked for. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Values>;
}
