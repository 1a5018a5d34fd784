import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEvents } from '../chaos/events.ts';
import { openPlatform } from '../chaos/platform-handle.ts';
import { performIn, play } from '../chaos/play.ts';
import { openScene, type Scene } from '../chaos/scene.ts';
import { chaosSettings } from '../chaos/settings.ts';
import { isOfPart } from '../chaos/words.ts';
import { databaseTypes, type DatabaseType } from '../contract/src/states.ts';
import { ANY_INSPECTOR_PORT } from '../e2e/process-memory.ts';
import { startBareServer } from './bare-server.ts';
import { BARE, judgeFlatness, type Course } from './flatness.ts';
import { openMemoryGauges } from './memory-gauges.ts';
import { plotSamples } from './plot.ts';
import { planRounds } from './rhythm.ts';
import { openProcessorMeters, takeSample, type Look, type Sample } from './sample.ts';
import { startVisits, type Places } from './visits.ts';

export interface SoakOptions {
  minutes: number;
  /** Between two things that people do. */
  everyMs: number;
  sampleEveryMs: number;
  /** Takes the samples, the plot and, while it runs, LILAC_HOME. */
  folder: string;
  types?: readonly DatabaseType[];
  say: (line: string) => void;
}

export interface Soaked {
  courses: Course[];
  /** What went wrong on the way, in words. */
  troubles: string[];
}

/** Uses a platform steadily, nothing disturbed, and tells how its figures went. */
export async function runSoak(options: SoakOptions): Promise<Soaked> {
  const { folder, types = databaseTypes, say } = options;
  mkdirSync(folder, { recursive: true });
  const home = join(folder, 'home');
  const handle = await openPlatform({ home, env: { ...chaosSettings, ...ANY_INSPECTOR_PORT } });
  const platform = handle.current();
  const events = openEvents(join(folder, 'events.jsonl'), () => {});
  const scene = await openScene({ handle, events, databaseTypes: types });
  await using bare = await startBareServer();
  const visits = startVisits({ ...placesOf(scene, platform.url), [BARE]: bare.place });
  const gauges = openMemoryGauges(handle);
  try {
    const meters = openProcessorMeters(handle);
    const databaseIds = () => new Set([...scene.kept.map(({ id }) => id), ...scene.passing.databases.values()]);
    const playing = play(scene, planRounds(options), performIn(scene));
    const samples = await watch((look) => takeSample({ handle, visits, gauges, meters, databaseIds }, look), options);
    const { problems, happenings } = await playing;
    for (const line of happenings.describe()) say(line);
    await scene.watch.look();
    const troubles = [
      ...[...problems, ...scene.losses, ...happenings.problems()].map(({ about, what }) => `${about}: ${what}`),
      ...scene.watch.failed().map(({ id, part, error }) => `${part}: ${id} failed: ${error}`),
      ...[...visits.failures()].map(([problem, count]) => `${count} visits of ${problem}`),
      ...scene.outages.unexplained().map(({ part, message }) => `${part}: ${message}`),
    ];
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(samples));
    writeFileSync(join(folder, 'soak.svg'), plotSamples(samples));
    return { courses: judgeFlatness(samples), troubles };
  } finally {
    gauges.close();
    const running = [scene.watch, visits, ...scene.loads, ...scene.kept.map(({ writes }) => writes)];
    await Promise.all(running.map((each) => each.stop()));
    writeFileSync(join(folder, 'platform.log'), handle.output());
    say(`Kept: ${folder}`);
    await platform[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  }
}

/** As many as there are stretches in both halves of it: a line is laid through the least of each (`flatness.ts`). */
const COLLECTIONS = 24;

/** The first look is after a while: what was never visited has no figure. */
async function watch(
  look: (at: Look) => Promise<Sample>,
  { minutes, sampleEveryMs, say }: SoakOptions,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const collectEvery = Math.max(1, Math.round((minutes * 60_000) / sampleEveryMs / COLLECTIONS));
  const startedAt = performance.now();
  for (let atMs = sampleEveryMs; atMs <= minutes * 60_000; atMs += sampleEveryMs) {
    await delay(Math.max(0, atMs - (performance.now() - startedAt)));
    const isAfterCollection = samples.length % collectEvery === 0;
    const sample = await look({ minute: atMs / 60_000, isAfterCollection });
    samples.push(sample);
    say(describeSample(sample));
  }
  return samples;
}

function placesOf({ site, server, deployer, token }: Scene, url: string): Places {
  const { targetOrganisationId } = deployer;
  return {
    site: { url: site.url, path: '/', isRight: (body) => isOfPart('site', body) },
    server: { url: server.url, path: '/', isRight: (body) => isOfPart('server', body) },
    api: {
      url,
      path: '/api/applications',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ targetOrganisationId }),
      isRight: (body) => namesIn(body).includes(site.part) && namesIn(body).includes(server.part),
    },
  };
}

/** Of a list of applications. */
const namesIn = (body: string): string[] =>
  (JSON.parse(body) as { items: { name: string }[] }).items.map(({ name }) => name);

function describeSample({ minute, figures }: Sample): string {
  const sum = (kind: string) =>
    Object.entries(figures).reduce(
      (total, [name, value]) => (name.startsWith(`${kind} of`) ? total + value : total),
      0,
    );
  const waits = ['site', 'server', 'api', BARE].map((place) => `${place} ${figures[`wait of ${place}`]!.toFixed(1)}`);
  return (
    `${minute.toFixed(1).padStart(6)} min  ${sum('memory').toFixed(0)} MB, ${sum('files')} files, ` +
    `${sum('disk').toFixed(0)} MB on the disk, ` +
    `${sum('processor time').toFixed(1)} s of processor time a minute, waits in ms: ${waits.join(', ')}; load ${figures['load']!.toFixed(1)}`
  );
}
