import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '../../runtime/runtime.ts';
import { canConnect } from './connect.ts';
import { findPort, type PortFinding } from './find-port.ts';

export interface BootTiming {
  startWithinMs: number;
  /** Who listens elsewhere than it was told to for so long will not change its mind. */
  portSettleMs: number;
  /** Who listens for itself only for so long is told so. */
  localSettleMs: number;
}

export type Listening = { kind: 'up'; port: number } | { kind: 'unreachable'; message: string };

const FIRST_NAP_MS = 2;
const LONGEST_NAP_MS = 100;
/** A nap at the end of the start is time lost: it is never more than this share of the whole. */
const NAP_SHARE = 1 / 25;
/** Looking at its ports costs more than trying one. */
const FIRST_LOOK_MS = 250;
const LOOK_EVERY_MS = 75;
const CONNECT_MS = 1000;

/** Resolves when the instance takes connections, or will not in time. Rejects when the signal is aborted. */
export async function awaitListening(
  runtime: Pick<Runtime, 'listeners'>,
  { id, host, port }: { id: string; host: string; port: number },
  { timing, signal }: { timing: BootTiming; signal: AbortSignal },
): Promise<Listening> {
  const startedAt = performance.now();
  const settle = createSettling(timing);
  let nextLookMs = FIRST_LOOK_MS;
  for (;;) {
    if (await canConnect({ host, port }, { timeoutMs: CONNECT_MS })) return { kind: 'up', port };
    signal.throwIfAborted();
    const waitedMs = performance.now() - startedAt;
    const isLate = waitedMs > timing.startWithinMs;
    const finding = isLate || waitedMs >= nextLookMs ? findPort(await runtime.listeners(id), port) : null;
    if (finding) nextLookMs = waitedMs + LOOK_EVERY_MS;
    const settled = finding && settle(finding, performance.now());
    if (settled?.kind === 'found') return { kind: 'up', port: settled.port };
    if (settled?.kind === 'unreachable') return settled;
    if (isLate) return lateOf(finding, port, timing);
    await delay(Math.min(Math.max(FIRST_NAP_MS, waitedMs * NAP_SHARE), LONGEST_NAP_MS), undefined, { signal });
  }
}

/** Gives the finding back once it has stood for long enough. */
function createSettling({ portSettleMs, localSettleMs }: BootTiming) {
  let last = { text: '', sinceMs: 0 };
  return (finding: PortFinding, nowMs: number): PortFinding | null => {
    const text = JSON.stringify(finding);
    if (text !== last.text) last = { text, sinceMs: nowMs };
    const neededMs = finding.kind === 'found' ? portSettleMs : localSettleMs;
    return finding.kind !== 'nothing' && nowMs - last.sinceMs >= neededMs ? finding : null;
  };
}

function lateOf(finding: PortFinding | null, port: number, { startWithinMs }: BootTiming): Listening {
  if (finding?.kind === 'found') return { kind: 'up', port: finding.port };
  if (finding?.kind === 'unreachable') return finding;
  const seconds = Math.round(startWithinMs / 1000);
  return { kind: 'unreachable', message: `It did not listen on port ${port} within ${seconds} s of its start.` };
}
