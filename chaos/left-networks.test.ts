import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHostTools } from '../server/src/runtime/network/host-tools.ts';
import { installationId, namespaceName, vethName } from '../server/src/runtime/network/names.ts';
import { leftNetworks } from './invariants/left-networks.ts';
import { isRootFor } from './testing/is-root-for.ts';
import { openHome, type TestHome } from './testing/open-home.ts';

const SLOT = 7;

function note(home: TestHome, record: object): void {
  home.put('run/network/slots/');
  writeFileSync(join(home.path, 'run/network/slots', `${SLOT}.json`), JSON.stringify(record));
}

describe('the place of an instance', () => {
  it('is left where it is held for one that is not there', () => {
    using home = openHome();
    note(home, { use: 'leased', instanceId: 'ins_1' });
    expect(leftNetworks(home.expecting())).toEqual([`place ${SLOT} of ins_1`]);
    expect(leftNetworks(home.expecting({ instances: new Set(['ins_1']) }))).toEqual([]);
  });

  it('is well where it waits for one', () => {
    using home = openHome();
    note(home, { use: 'ready' });
    expect(leftNetworks(home.expecting())).toEqual([]);
  });
});

describe.runIf(isRootFor('make networks'))('a network', () => {
  const tools = createHostTools();

  it('is left where a namespace has no record', async () => {
    using home = openHome();
    const name = namespaceName(installationId(home.path), SLOT);
    await tools.run(['ip', 'netns', 'add', name]);
    try {
      expect(leftUntilNoted(home)).toEqual([[`network ${name}`], []]);
    } finally {
      await tools.run(['ip', 'netns', 'delete', name]);
    }
  });

  it('is left where a cable has no record', async () => {
    using home = openHome();
    const name = vethName(installationId(home.path), SLOT);
    await tools.run(['ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}p`]);
    try {
      expect(leftUntilNoted(home)).toEqual([[`network ${name}`], []]);
    } finally {
      await tools.run(['ip', 'link', 'delete', name]);
    }
  });
});

/** What is left before its place is written down, and then. */
function leftUntilNoted(home: TestHome): string[][] {
  const before = leftNetworks(home.expecting());
  note(home, { use: 'ready' });
  return [before, leftNetworks(home.expecting())];
}
