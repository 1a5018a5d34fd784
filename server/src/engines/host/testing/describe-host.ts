import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { remainsOf, type HostBench } from './host-bench.ts';

/** What every host of servers must do, whatever they run as. */
export function describeHost(name: string, open: () => Promise<HostBench>): void {
  describe(`a place of ${name}`, () => {
    it('is made once, and found again', async () => {
      await using bench = await open();
      expect(await bench.host.find('dbs_1')).toBeNull();
      const place = await bench.take();
      writeFileSync(join(place.home, 'kept'), 'yes');
      expect(await bench.take()).toMatchObject({ home: place.home, uid: place.uid });
      expect((await bench.host.find('dbs_1'))?.home).toBe(place.home);
      expect(readFileSync(join(place.home, 'kept'), 'utf8')).toBe('yes');
      expect(bench.host.list('postgresql')).toEqual(['dbs_1']);
      expect(bench.host.list('mysql')).toEqual([]);
    });

    it('leaves nothing when it is removed', async () => {
      await using bench = await open();
      const place = await bench.take('dbs_removed');
      await bench.launch(place, 'sleep 1000 & sleep 1000');
      await bench.host.remove('dbs_removed');
      expect(bench.host.list('postgresql')).toEqual([]);
      expect(readdirSync(join(bench.home, 'databases'))).toEqual([]);
      expect(remainsOf(bench.home, 'dbs_removed')).toEqual([]);
      expect(bench.exits).toEqual([]);
      await bench.host.remove('dbs_removed');
    });
  });

  describe(`a server as ${name}`, () => {
    it('runs in its home, with its output in the log, and its end is told once', async () => {
      await using bench = await open();
      const place = await bench.take();
      await bench.launch(
        place,
        `echo "at $(readlink ${place.innerHome})"; echo up > up; while [ ! -e go ]; do sleep 0.02; done`,
      );
      await eventually('it is up', () => existsSync(join(place.home, 'up')));
      expect(bench.host.isRunning('dbs_1')).toBe(true);
      expect(readFileSync(place.logFile, 'utf8')).toBe(`at ${place.home}\n`);
      expect(statSync(join(place.home, 'up')).uid).toBe(place.uid ?? process.getuid?.());
      await expect(bench.launch(place, 'true')).rejects.toThrow('runs already');
      writeFileSync(join(place.home, 'go'), '');
      await eventually('its end is told', () => bench.exits.length > 0);
      expect(bench.exits).toEqual(['dbs_1']);
      expect(bench.host.isRunning('dbs_1')).toBe(false);
    });

    it('tells why it was not started', async () => {
      await using bench = await open();
      const place = await bench.take();
      await bench.host.launch(place, { argv: ['/no/such/server'] });
      await eventually('its end is told', () => bench.exits.length > 0);
      expect(readFileSync(place.logFile, 'utf8')).toContain('/no/such/server');
      expect(bench.host.isRunning('dbs_1')).toBe(false);
      await bench.launch(place, 'sleep 1000');
      expect(bench.host.isRunning('dbs_1')).toBe(true);
    });

    it('is ended with all that it has started, and killed likewise', async () => {
      await using bench = await open();
      const place = await bench.take();
      const stubborn = `trap '' TERM; (trap '' TERM; setsid sleep 1000) & while :; do sleep 0.1; done`;
      for (const end of [
        () => bench.host.end('dbs_1', [{ signal: 'SIGTERM', waitMs: 50 }]),
        () => bench.host.kill('dbs_1'),
      ]) {
        await bench.launch(place, stubborn);
        await eventually('all of it runs', () => listOwn(place.home).length >= 3);
        await end();
        expect(bench.host.isRunning('dbs_1')).toBe(false);
        expect(listOwn(place.home)).toEqual([]);
      }
      expect(bench.exits).toEqual([]);
    });
  });
}

/** The processes that are at home in a folder. */
export function listOwn(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === home;
    } catch {
      return false;
    }
  });
}
