import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { installationId, slotOfName } from '../../server/src/runtime/network/names.ts';
import type { SlotRecord } from '../../server/src/runtime/network/slot-records.ts';
import { namesIn } from './left-processes.ts';
import type { Expected } from './expected.ts';

/** Networks that nobody has written down, and places that are held for instances that are gone. */
export function leftNetworks({ home, instances }: Expected): string[] {
  const id = installationId(home);
  const records = readSlots(join(home, 'run', 'network', 'slots'));
  const names = [...namesIn('/run/netns'), ...namesIn('/sys/class/net')];
  const unknown = names.filter((name) => {
    const slot = slotOfName(id, name);
    return slot !== null && !records.has(slot);
  });
  const held = [...records].flatMap(([slot, { use, instanceId }]) =>
    use === 'leased' && !instances.has(instanceId ?? '') ? `place ${slot} of ${instanceId}` : [],
  );
  return [...unknown.map((name) => `network ${name}`), ...held];
}

function readSlots(folder: string): Map<number, SlotRecord> {
  const names = namesIn(folder).filter((name) => /^\d+\.json$/.test(name));
  return new Map(
    names.flatMap((name) => {
      try {
        return [[Number.parseInt(name, 10), JSON.parse(readFileSync(join(folder, name), 'utf8')) as SlotRecord]];
      } catch {
        // It was just given back.
        return [];
      }
    }),
  );
}
