const userCharactersMax = 32;

/**
 * What is wrong with the name of a user, or null. Names as `useradd` makes them: nothing that a
 * program could take for an option, for a number, or for two names.
 */
export function checkUserName(name: string): string | null {
  if (name === '') return 'is no name of a user';
  if (name.length > userCharactersMax) {
    return `has ${name.length} characters; ${userCharactersMax} are allowed`;
  }
  if (/^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(name)) return null;
  return `is ${JSON.stringify(name)}: letters, digits and _ . - only, a letter or _ first`;
}
