import { describe, expect, it } from 'vitest';
import { run, start } from '../../../lib/exec.ts';
import { silentLog } from '../../../lib/log.ts';
import { FIRST_UID } from '../../../sandbox/uids.ts';
import { createNftables } from '../../network/firewall/nftables.ts';
import { createHostTools } from '../../network/host-tools.ts';
import { findFirewalls, openTestMachine, type TestMachine } from '../../network/testing/test-machine.ts';
import { markBuilds } from '../mark-builds.ts';
import { CONTROL_PORT, PROGRAM_PORT } from './agreement.ts';
import { firewallRules } from './firewall-rules.ts';

const works = await findFirewalls();

const MACHINE = '10.0.5.1';
/** The bridge of the engine, and a task at it. */
const GATEWAY = '172.17.0.1';
const TASK = '172.17.0.2';
const PUBLISHED = 32_768;
const LISTENS_AT = 3000;
const ADDRESSES = ['127.0.0.1', MACHINE, GATEWAY];

/** What a machine's own firewall does with what nobody has let in. */
const LETS_IN = 'accept';
const DROPS = 'drop';
const REFUSES = 'meta l4proto tcp reject with tcp reset';
const SAYS_WHY = 'reject with icmp type admin-prohibited';

interface Scene {
  isProxied: boolean;
  input: string;
  /** Whether containers may call one another, and so themselves by their machine. */
  isCommunicating?: boolean;
}

describe.runIf(works.includes('nftables'))('the gateway of a task', () => {
  it.each([
    ['lets everybody call it', LETS_IN],
    ['says nothing to tasks', DROPS],
    ['refuses tasks', REFUSES],
    ['refuses tasks, and says why', SAYS_WHY],
  ])('is nobody’s sign beside the engine’s proxy, where the machine %s', async (_what, input) => {
    await using stack = new AsyncDisposableStack();
    const scene = await openScene({ isProxied: true, input }, stack);
    const gateway = await scene.gateway();
    expect(gateway).toBeNull();
    await scene.runTask(GATEWAY);
    expect(await scene.callAsBuild('127.0.0.1'), 'so it would be').toBe('inside');
    await scene.setRules(gateway);
    await expectNoBuild(scene);
    expect(await scene.callAsMachine(MACHINE)).toBe('inside');
  });

  it.each([
    ['lets everybody call it', LETS_IN],
    ['says nothing to tasks', DROPS],
  ])('is how the machine comes without the proxy, where it %s', async (_what, input) => {
    await using stack = new AsyncDisposableStack();
    const scene = await openScene({ isProxied: false, input }, stack);
    const gateway = await scene.gateway();
    expect(gateway).toBe(GATEWAY);
    await scene.runTask(gateway);
    await expectNoBuild(scene);
    expect(await scene.callAsMachine(MACHINE)).toBe('inside');
    expect(await scene.refusal(GATEWAY, gateway)).toBe('');
  });

  it('is nobody’s sign where no task may call itself, and who comes by it is told so instead of being shut out', async () => {
    await using stack = new AsyncDisposableStack();
    const scene = await openScene({ isProxied: false, input: LETS_IN, isCommunicating: false }, stack);
    expect(await scene.gateway()).toBeNull();
    expect(await scene.refusal(GATEWAY, null)).toContain('userland-proxy');
    expect(await scene.refusal(MACHINE, null)).toBe('');
  });
});

type OpenScene = Awaited<ReturnType<typeof openScene>>;

async function expectNoBuild({ callAsBuild }: OpenScene): Promise<void> {
  const answers = await Promise.all(ADDRESSES.map((address) => callAsBuild(address)));
  expect(answers).not.toContain('inside');
}

/** A machine with an engine that publishes the port of a task, and with builds that are marked as they really are. */
async function openScene(scene: Scene, stack: AsyncDisposableStack) {
  const machine = stack.use(await openTestMachine('nftables'));
  const { enter: inTask } = await machine.connect({ name: 'docker0', network: '172.17.0' });
  await machine.connect({ name: 'cluster', network: '10.0.5' });
  await createHostTools(inTask).run(['ip', 'route', 'add', 'default', 'via', GATEWAY]);
  await machine.tools.run(['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.docker0.route_localnet=1']);
  await machine.tools.run(['nft', '-f', '-'], engineRules(scene));
  if (scene.isProxied) stack.use(await startProxy(machine));
  const marks = await markBuilds({
    hostId: 'one-of-the-hosts',
    log: silentLog,
    firewalls: [createNftables(machine.tools)],
  });
  stack.defer(() => marks.close());
  const asBuild = [...machine.enter, 'setpriv', `--reuid=${FIRST_UID}`, `--regid=${FIRST_UID}`, '--clear-groups', '--'];
  const setRules = async (gateway: string | null) => {
    const reach = { cluster: ['10.0.5.0/24'], host: MACHINE, doors: [], nameServers: [] };
    const text = firewallRules({ ...reach, port: LISTENS_AT, gateway });
    await createHostTools(inTask).run(['nft', '-f', '-'], text);
  };
  return {
    gateway: async () => JSON.parse(await inModule(inTask, `await machineGateway(${PUBLISHED})`)) as string | null,
    refusal: (caller: string, gateway: string | null) =>
      inModule(inTask, `refuseUnreached(${JSON.stringify(caller)}, ${JSON.stringify(gateway)}) ?? ''`).then(
        (said) => JSON.parse(said) as string,
      ),
    setRules,
    async runTask(gateway: string | null) {
      await setRules(gateway);
      for (const port of [LISTENS_AT, CONTROL_PORT]) await machine.serve(inTask, { port, answer: 'inside' });
    },
    callAsBuild: (address: string) => machine.call(asBuild, address, PUBLISHED),
    callAsMachine: (address: string) => machine.call(machine.enter, address, PUBLISHED),
  };
}

/** As Docker writes them, with its proxy and without; and those of whoever guards the machine. */
function engineRules({ isProxied, input, isCommunicating = true }: Scene): string {
  const published = `fib daddr type local tcp dport ${PUBLISHED} dnat to ${TASK}:${PROGRAM_PORT}`;
  return `table ip engine {
  chain arriving {
    type nat hook prerouting priority dstnat;
    ${isProxied ? 'iifname != "docker0" ' : ''}${published}
  }
  chain leaving {
    type nat hook output priority -100;
    ${isProxied ? 'ip daddr != 127.0.0.0/8 ' : ''}${published}
  }
  chain left {
    type nat hook postrouting priority srcnat;
    ${isProxied ? '' : 'oifname "docker0" fib saddr type local masquerade'}
    ip saddr ${TASK} ip daddr ${TASK} masquerade
  }
  chain passing {
    type filter hook forward priority filter;
    ${isCommunicating ? '' : 'iifname "docker0" oifname "docker0" drop'}
  }
  chain guarded {
    type filter hook input priority filter;
    iifname "lo" accept
    ct state established,related accept
    ${input}
  }
}
`;
}

const PROXY = `
const { connect, createServer } = require('node:net');
const [port, host, to] = process.argv.slice(1);
createServer((caller) => {
  const called = connect({ host, port: Number(to) });
  for (const [one, other] of [[caller, called], [called, caller]]) {
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
    one.pipe(other);
  }
}).listen(Number(port), '0.0.0.0', () => console.log('listening'));`;

/** As the engine's own does, it takes every connection, and passes it on from the machine. */
async function startProxy(machine: TestMachine): Promise<Disposable> {
  const words = [PUBLISHED, TASK, PROGRAM_PORT].map(String);
  const argv = [...machine.enter, process.execPath, '-e', PROXY, ...words];
  const proxy = start(argv as [string, ...string[]], { env: { PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => proxy.stdout?.once('data', resolve));
  return { [Symbol.dispose]: () => void proxy.kill('SIGKILL') };
}

/** What comes of it in the network of the task, as JSON; of what is thrown, the message. */
async function inModule(enter: readonly string[], expression: string): Promise<string> {
  const module = new URL('machine-gateway.ts', import.meta.url).href;
  const script = `import { machineGateway, refuseUnreached } from '${module}';
    try { console.log(JSON.stringify(${expression})); } catch (error) { console.log(JSON.stringify(error.message)); }`;
  const argv = [...enter, process.execPath, '--input-type=module', '-e', script];
  const { exitCode, stdout, stderr } = await run(argv as [string, ...string[]], { env: { PATH } });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
