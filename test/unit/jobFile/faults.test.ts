import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planApply, type WantedJob } from '../../../src/domain/jobFile/planApply.ts';
import { readYamlFile } from '../../../src/domain/jobFile/readYamlFile.ts';

/** What is said of a file, whichever step finds it. */
function faultsOf(text: string): string[] {
  const file = readYamlFile(text, {}, 0);
  const made = [...file.make(new Map())];
  const wanted = made.filter((each): each is WantedJob => 'define' in each);
  const ofJobs = made.flatMap((each) => ('message' in each ? [each] : []));
  const all = file.faults.length > 0 ? file.faults : ofJobs;
  const { faults } = planApply(wanted, { jobs: new Map(), removable: [] });
  return (all.length > 0 ? all : faults).map(({ line, message }) => `${line} ${message}`);
}

const cases: readonly (readonly [title: string, text: string, faults: readonly RegExp[]])[] = [
  [
    'what is missing hides nothing else that is',
    'jobs:\n  a:\n    timezone: Mars/X\n    nice: 5',
    [/^2 cron is missing$/, /^2 command: is missing$/, /^3 timezone: "Mars\/X" is not a zone/],
  ],
  [
    'a wrong field hides no wrong end of the pause, nor the other way round',
    'jobs:\n  a:\n    cron: "99 * * * *"\n    command: "true"\n    paused-until: wrong',
    [/^3 cron: minute: "99" is out of range/, /^5 paused-until: "wrong" is neither an instant/],
  ],
  [
    'another group hides no wrong field',
    'group: web\njobs:\n  a:\n    group: shop\n    cron: "99 * * * *"\n    command: "true"',
    [/^4 group: it is shop here, but web/, /^5 cron: minute: "99" is out of range/],
  ],
  [
    'a fault hides no fault of another field on its line',
    'jobs:\n  a: { cron: "99 * * * *", command: "true", max-runs: 0, umask: "999" }',
    [/^2 max-runs: A whole number/, /^2 cron: minute: "99"/, /^2 umask: is "999"/],
  ],
  [
    'what could not be read is no fault of another field',
    'jobs:\n  a:\n    cron: [[]]\n    command: "true"\n    umask: "999"',
    [/^3 cron: a text is wanted/, /^5 umask: is "999"/],
  ],
  [
    'each job that is not there is named',
    'jobs:\n  a: { cron: "@daily", command: "true", after: [b, c] }',
    [/^2 after: there is no job "b"$/, /^2 after: there is no job "c"$/],
  ],
];

for (const [title, text, wanted] of cases) {
  test(`in a file of jobs ${title}`, () => {
    const faults = faultsOf(text);
    assert.equal(faults.length, wanted.length, faults.join('\n'));
    for (const [at, pattern] of wanted.entries()) assert.match(faults[at] ?? '', pattern);
  });
}
