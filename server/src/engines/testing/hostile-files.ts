import { expect, it } from 'vitest';
import type { DatabaseOwner } from '../engine.ts';
import { SessionLost } from '../transfer.ts';

interface LoadBench {
  database(name: string): Promise<DatabaseOwner>;
  load(owner: DatabaseOwner, text: string): Promise<unknown>;
}

interface HostileFiles {
  /** Ends its session in the second line. */
  endsItself: string;
  /** Asks for 300 MB of answers. */
  asksForMuch: string;
}

/** What no file may do to us, whatever the engine. */
export function describeHostileFiles(bench: () => LoadBench, { endsItself, asksForMuch }: HostileFiles): void {
  it('that ends its own session is told with the line that does', async () => {
    const owner = await bench().database('victim');
    const failure = await bench()
      .load(owner, endsItself)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SessionLost);
    expect(failure).toMatchObject({ line: 2 });
  });

  it('cannot fill our memory with what it asks for', async () => {
    const owner = await bench().database('victim');
    const before = process.memoryUsage().rss;
    await bench().load(owner, asksForMuch);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
  });
}
