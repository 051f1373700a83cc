/**
 * Why others could put something into a file or folder that is read as if this user had: null, they
 * cannot. Whatever stands in such a place was put there by whoever may write there.
 */
export function whyNotOurs(
  { mode, uid }: { readonly mode: number; readonly uid: number },
  ownUid: number,
): string | null {
  if (uid !== ownUid) return `it belongs to the user with uid ${uid}`;
  if ((mode & 0o022) === 0) return null;
  return `others may write to it (mode ${(mode & 0o7777).toString(8).padStart(4, '0')})`;
}
