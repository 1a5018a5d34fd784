import { parseArgs } from 'node:util';
import { openContractTarget } from './contract-target.ts';
import { findSchemathesis, sendByContract } from './schemathesis.ts';

/** The long form of `e2e/api-fuzz.test.ts`. What stands behind `--` goes to schemathesis. */
const { values, positionals: furtherOptions } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});

const LONGEST_LEG_MINUTES = 10;

const program = findSchemathesis();
if (!program) throw new Error('schemathesis is not installed: npm test and npm run fuzz say why.');
await using target = await openContractTarget();
// A key is refused what only people may, so half of the time is a person's.
const minutes = Number(values.minutes) / 2;
process.exitCode = Math.max(await sendAs(target.key, { minutes }), await sendAsPerson(minutes));

/** An access token lives 15 minutes, so that a longer time is several sessions'. */
async function sendAsPerson(minutes: number): Promise<number> {
  let worst = 0;
  for (let left = minutes, leg = 0; left > 0; left -= LONGEST_LEG_MINUTES, leg++) {
    const token = await target.signIn();
    worst = Math.max(worst, await sendAs(token, { minutes: Math.min(left, LONGEST_LEG_MINUTES), leg }));
  }
  return worst;
}

async function sendAs(credential: string, { minutes, leg = 0 }: { minutes: number; leg?: number }): Promise<number> {
  const { platform, ids } = target;
  const { url } = platform;
  const seed = Number(values.seed) + leg;
  const options = ['--max-time', String(Math.max(1, Math.round(minutes * 60))), ...furtherOptions];
  const sent = { program: program!, url, credential, ids, seed, options };
  return (await sendByContract(sent, (text) => void process.stdout.write(text))).exitCode ?? 1;
}
