import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { apiNameOf, edgeNameOf, edgeNamesOf, hostOfApi } from '../routing/edge-names.ts';
import { hostIdOf } from './host-id.ts';

function makeHome(): { home: string } {
  const home = mkdtempSync(join(tmpdir(), 'lilac-host-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home };
}

it('a host has one id for good, also where a full disk left an empty file', () => {
  const config = makeHome();
  writeFileSync(join(config.home, 'host-id'), '');
  const id = hostIdOf(config);
  expect(hostIdOf(config)).toBe(id);
  expect(readdirSync(config.home)).toEqual(['host-id']);
});

it('two hosts on machines of one name have edges and apis of different names', () => {
  const [one, other] = [makeHome(), makeHome()];
  expect(edgeNameOf(one, 0)).not.toBe(edgeNameOf(other, 0));
  expect(apiNameOf(one)).not.toBe(apiNameOf(other));
  expect(edgeNameOf(one, 1).startsWith(edgeNamesOf(one))).toBe(true);
  expect(hostOfApi(apiNameOf(one))).toBe(hostIdOf(one));
});
