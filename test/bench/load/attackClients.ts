import { type AttackPlan, attacks } from './attacks.ts';

/** The clients of one attack, in a process of their own, until it is told to stop. */
const plan = JSON.parse(process.argv[2] ?? '') as AttackPlan;
const attack = attacks[plan.attack](plan);

process.send?.({ begun: true });
process.on('message', ({ command }: { command: string }) => {
  if (command === 'report') process.send?.({ report: attack.counts });
});
process.on('disconnect', () => {
  attack.stop();
  process.exit(0);
});
