import { programTexts } from './printedTexts.ts';

/** The variables of the environment that programs below the folders read, or set for jobs. */
export function knownVariables(...folders: string[]): ReadonlySet<string> {
  const sources = folders.flatMap(programTexts).map(({ text }) => text);
  const names = sources.flatMap((text) => forms.flatMap((form) => found(text, form)));
  const secrets = sources.flatMap((text) => found(text, /readSecretVariable\('([A-Z_]+)'/g));
  return new Set([...names, ...secrets.map((name) => `${name}_FILE`)]);
}

/** As a property, as a text of its own that code uses, as a key. In a sentence it is not used. */
const forms = [
  /\benv\.([A-Z_]+)\b/g,
  /(?<=[[( ])'((?:STATECRON|DATABASE)_[A-Z_]+)'/g,
  /^ *(STATECRON_[A-Z_]+): /gm,
  /\$ENV\{([A-Z_]+)\}/g,
];

function found(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, name = '']) => name);
}
