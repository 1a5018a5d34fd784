import type { Listener } from '../../runtime/runtime.ts';

/** What the ports that an instance listens on say, when it does not listen where it was told to. */
export type PortFinding =
  | { kind: 'found'; port: number }
  /** The message ends a sentence that begins with the instance. */
  | { kind: 'unreachable'; message: string }
  | { kind: 'nothing' };

export function findPort(listeners: readonly Listener[], wanted: number): PortFinding {
  const open = [...new Set(listeners.filter(({ isLocal }) => !isLocal).map(({ port }) => port))];
  if (open.includes(wanted)) return { kind: 'found', port: wanted };
  if (open.length === 1) return { kind: 'found', port: open[0]! };
  if (open.length > 1) {
    const ports = open.toSorted((a, b) => a - b).join(', ');
    return {
      kind: 'unreachable',
      message: `It listens on the ports ${ports}, and not on PORT (${wanted}): listen on PORT, or set containerPort.`,
    };
  }
  if (listeners.length > 0) {
    return { kind: 'unreachable', message: 'It listens on 127.0.0.1 only: listen on 0.0.0.0.' };
  }
  return { kind: 'nothing' };
}
