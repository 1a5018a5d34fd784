import { belongsTo } from '../e2e/left-processes.ts';
import { startPlatform, type Platform } from '../e2e/platform.ts';

/** The platform, which may be killed whole and started again: then it is another one in the same home. */
export interface PlatformHandle {
  home: string;
  current(): Platform;
  /** Of a role, those that are there; none while the whole platform is away. */
  pids(role: string): number[];
  /** After its supervisor was killed. */
  startAgain(): Promise<void>;
  /** Its supervisor was killed, and the next has not said that it is ready. */
  isAway(): boolean;
  /** Before its supervisor is killed. */
  noteAway(): void;
  /** Everything that any of them has said. */
  output(): string;
}

export async function openPlatform(options: { home: string; env: Record<string, string> }): Promise<PlatformHandle> {
  let current = await startPlatform(options);
  const former: Platform[] = [];
  let isAway = false;
  const notedPids = (): Record<string, number[]> => {
    try {
      return current.pids();
    } catch {
      // It is just being stopped or started.
      return {};
    }
  };
  return {
    home: options.home,
    current: () => current,
    pids(role) {
      // What is written there may be of those who are gone, and their numbers somebody else's by now.
      return (notedPids()[role] ?? []).filter((pid) => belongsTo(pid, options.home));
    },
    async startAgain() {
      former.push(current);
      current = await startPlatform({ ...options, port: current.port });
      isAway = false;
    },
    isAway: () => isAway,
    noteAway: () => (isAway = true),
    output: () => [...former, current].map((each) => each.output()).join(''),
  };
}
