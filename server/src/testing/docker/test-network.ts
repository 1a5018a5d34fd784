import { run } from '../../lib/exec.ts';

/** A bridge of this machine that the nodes of one test are joined by; they find this machine at its first address. */
export interface TestNetwork extends AsyncDisposable {
  bridge: string;
  /** `10.77.3.0/24`. */
  range: string;
  /** `addressOf(1)` is this machine. */
  addressOf(index: number): string;
}

const NETWORKS = 250;

/** Takes the first that nobody has; those of tests that died are nobody's. */
export async function openTestNetwork(): Promise<TestNetwork> {
  for (let number = 0; number < NETWORKS; number++) {
    const bridge = `lilact${number}`;
    if (!(await take(bridge))) continue;
    const addressOf = (index: number) => `10.77.${number}.${index}`;
    await ip('address', 'add', `${addressOf(1)}/24`, 'dev', bridge);
    await ip('link', 'set', bridge, 'up');
    const remove = async () => void (await tryIp('link', 'delete', bridge));
    return { bridge, range: `10.77.${number}.0/24`, addressOf, [Symbol.asyncDispose]: remove };
  }
  throw new Error('All networks for tests are taken.');
}

/** Who has it is written on it. */
async function take(bridge: string): Promise<boolean> {
  const owner = `lilac-test-${process.pid}`;
  if (!(await tryIp('link', 'add', bridge, 'type', 'bridge')) && !(await takeOver(bridge))) return false;
  await ip('link', 'set', 'dev', bridge, 'alias', owner);
  return true;
}

async function takeOver(bridge: string): Promise<boolean> {
  const { stdout } = await runIp('link', 'show', bridge);
  const pid = /alias lilac-test-(\d+)/.exec(stdout)?.[1];
  if (!pid || isAlive(Number(pid))) return false;
  await tryIp('link', 'delete', bridge);
  return tryIp('link', 'add', bridge, 'type', 'bridge');
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function ip(...words: string[]): Promise<void> {
  const { exitCode, stderr } = await runIp(...words);
  if (exitCode !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
}

const tryIp = async (...words: string[]): Promise<boolean> => (await runIp(...words)).exitCode === 0;
const runIp = (...words: string[]) => run(['ip', ...words], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
