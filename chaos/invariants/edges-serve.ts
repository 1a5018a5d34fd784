import { join } from 'node:path';
import { ask } from '../ask.ts';
import type { StoredRoute } from '../peek-store.ts';
import type { Scene } from '../scene.ts';
import { isOfPart } from '../words.ts';
import { namesIn } from './left-processes.ts';
import type { Problem } from './problem.ts';

/** What is asked at every edge, and what it must answer. */
export interface Expectation {
  about: string;
  url: string;
  /** For people. */
  wanted: string;
  isRight: (answer: string) => boolean;
}

/** Asked at the way in that each edge has for itself: of every address, what it answers is what is live. */
export async function doEdgesServe(
  scene: Scene,
  routes: readonly StoredRoute[],
): Promise<Pick<Problem, 'about' | 'what'>[]> {
  const folder = join(scene.handle.home, 'run', 'edges');
  const [edges, count] = [namesIn(folder), scene.handle.pids('edge').length];
  const found = edges.length < count ? [{ about: 'edge', what: `${edges.length} can be asked, ${count} run` }] : [];
  for (const { about, url, wanted, isRight } of expectationsOf(scene, routes)) {
    for (const name of edges) {
      const answer = await ask({ socketPath: join(folder, name), url }).catch((error: Error) => error.message);
      if (!isRight(answer))
        found.push({ about, what: `edge ${name} answers "${answer}" at ${url}, wanted is ${wanted}` });
    }
  }
  return found;
}

type Known = Pick<Scene, 'site' | 'server' | 'sleeper' | 'ledger' | 'addresses'>;

/** Of every environment that is there, and of every address that was given up. */
export function expectationsOf(scene: Known, routes: readonly StoredRoute[]): Expectation[] {
  const there = routes.filter(({ isThere }) => isThere);
  const urlOf = (subdomain: string) => scene.site.url.replace(/\/\/[^.]+\./, `//${subdomain}.`);
  const served = there.map((route) => ({ route, url: urlOf(route.ownSubdomain!) }));
  const hosts = new Set(served.map(({ url }) => new URL(url).host));
  const givenUp = [...scene.addresses].filter((url) => !hosts.has(new URL(url).host));
  return [
    ...served.map(({ route, url }) => ({ about: route.applicationName!, url, ...answerOf(scene, route) })),
    ...givenUp.map((url) => ({ about: url, url, ...NOT_FOUND })),
  ];
}

const NOT_FOUND = { wanted: '404', isRight: (answer: string) => answer.startsWith('404 ') };

function answerOf(
  { ledger, ...scene }: Known,
  { environmentId, applicationName, liveDeploymentId: live }: StoredRoute,
): Pick<Expectation, 'wanted' | 'isRight'> {
  if (live === null) return NOT_FOUND;
  const subject = [scene.site, scene.server, scene.sleeper].find((each) => each.environmentId === environmentId);
  // A site that comes and goes shows its own name.
  if (!subject) return exactly(applicationName!);
  const words = ledger.deployments(environmentId).find(({ id }) => id === live)?.words;
  if (words !== undefined) return exactly(words);
  return {
    wanted: `a release of ${subject.part} (${live})`,
    isRight: (answer) => answer.startsWith('200 ') && isOfPart(subject.part, answer.slice(4)),
  };
}

function exactly(words: string): Pick<Expectation, 'wanted' | 'isRight'> {
  return { wanted: `"${words}"`, isRight: (answer) => answer === `200 ${words}` };
}
