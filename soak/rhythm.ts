import { actions, type ActionName, type Step } from '../chaos/plan.ts';

/** What people do in turn. As much is removed as is made, so that nothing grows by what is asked for. */
const round: readonly ActionName[] = [
  'deploy-site',
  'wake',
  'write-variables',
  'create-database',
  'roll-back-site',
  'scale',
  'deploy-server',
  'create-application',
  'wake',
  'roll-back-server',
  'drop-database',
  'deploy-site',
  'scale',
  'delete-application',
];

/** The same round over and over, a step at a time: a load that is steady. */
export function planRounds({ minutes, everyMs }: { minutes: number; everyMs: number }): Step[] {
  const count = Math.floor((minutes * 60_000) / everyMs);
  return Array.from({ length: count }, (_, at) => {
    const name = round[at % round.length]!;
    return { number: at + 1, atMs: at * everyMs, lane: actions[name].lane, name, roll: at };
  });
}
