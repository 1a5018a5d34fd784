import { writeFileSync } from 'node:fs';
import { run } from '../../../lib/exec.ts';
import { readIfThere } from '../../../lib/read-if-there.ts';
import { parseSockets } from '../../network/listening-sockets.ts';
import type { Listener } from '../../runtime.ts';
import { CONTROL_PORT, type Reach } from './agreement.ts';
import { firewallRules, type Rules } from './firewall-rules.ts';
import { machineGateway, refuseUnreached } from './machine-gateway.ts';
import { SpareRoom } from './spare-room.ts';

const RULES_FILE = '/run/lilac-rules';
const LOOK_MS = 250;

/** What comes into the task and what leaves it. Who listens elsewhere than it was told is reached all the same. */
export class Firewall {
  readonly #port: number;
  #reach: Reach;
  #target: number;
  #gateway: string | null = null;
  #applied = Promise.resolve();
  readonly #room = new SpareRoom();

  constructor(port: number, reach: Reach) {
    this.#port = port;
    this.#reach = reach;
    this.#target = port;
  }

  /**
   * Before the program starts, and so before anything could answer in its place. Rejects where that would shut out who
   * asks.
   */
  async close(caller: string | undefined): Promise<void> {
    this.#gateway = await machineGateway(this.#port);
    refuseUnreached(caller, this.#gateway);
    this.#room.keep();
    await this.#apply();
  }

  async setReach(reach: Reach): Promise<void> {
    const before = this.#reach;
    this.#reach = reach;
    try {
      await this.#apply();
    } catch (error) {
      // What cannot be applied is not tried again with whatever changes next.
      if (this.#reach === reach) this.#reach = before;
      throw error;
    }
  }

  follow(): void {
    setInterval(() => {
      const target = chooseTarget(listeners(), this.#port);
      if (target === this.#target) return;
      this.#target = target;
      void this.#apply().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }, LOOK_MS).unref();
  }

  #apply(): Promise<void> {
    const next = this.#applied.then(() =>
      this.#room.use(() => apply({ ...this.#reach, port: this.#target, gateway: this.#gateway })),
    );
    this.#applied = next.catch(() => {});
    return next;
  }
}

async function apply(rules: Omit<Rules, 'nameServers'>): Promise<void> {
  const text = firewallRules({ ...rules, nameServers: readNameServers() });
  writeFileSync(RULES_FILE, text, { mode: 0o600 });
  const { exitCode, stderr } = await run(['nft', '-f', RULES_FILE], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  if (exitCode !== 0) throw new Error(`The firewall of this instance cannot be set: ${stderr.trim()}`);
}

/** The only port that others could reach, unless it listens where it was told. */
export function chooseTarget(found: readonly Listener[], wanted: number): number {
  const open = found.filter(({ isLocal }) => !isLocal).map(({ port }) => port);
  return open.length === 1 ? open[0]! : wanted;
}

/** What the program listens on. */
export function listeners(): Listener[] {
  const sockets = ['tcp', 'tcp6'].flatMap((name) => parseSockets(readIfThere(`/proc/self/net/${name}`) ?? ''));
  const ports = [...new Set(sockets.map(({ port }) => port))].filter((port) => port !== CONTROL_PORT);
  return ports.map((port) => ({ port, isLocal: sockets.every((each) => each.port !== port || each.isLocal) }));
}

function readNameServers(): string[] {
  return [...(readIfThere('/etc/resolv.conf') ?? '').matchAll(/^nameserver\s+(\S+)/gm)].map((match) => match[1] ?? '');
}
