import { visit } from '../../e2e/deploying.ts';
import { deploy } from '../actions/releases.ts';
import type { Scene, Subject } from '../scene.ts';
import { wordsOf } from '../words.ts';
import type { Invariant, Problem } from './problem.ts';

const NAME = 'after all that, the platform works';

/** Of no step. */
const NUMBERS = { site: 1_000_001, server: 1_000_002 };

/** A site and a server are released once more; the server has the variables that were acknowledged last. */
export const worksOn: Invariant = async ({ scene }) => [
  ...(await isReleased(scene, scene.site, NUMBERS.site)),
  ...(await isReleased(scene, scene.server, NUMBERS.server)),
  ...(await hasVariables(scene)),
];

async function isReleased(scene: Scene, subject: Subject, number: number): Promise<Problem[]> {
  const id = await deploy(scene, subject, { number });
  if (id === null) return [{ invariant: NAME, about: subject.part, what: 'a deployment is not taken' }];
  const { status, error } = await scene.deployer.ended(id);
  const { body } = await visit(subject.url);
  return status === 'healthy' && body === wordsOf(subject.part, number)
    ? []
    : [{ invariant: NAME, about: subject.part, what: `${id} is ${status} (${error}), and visitors see "${body}"` }];
}

async function hasVariables({ server, ledger }: Scene): Promise<Problem[]> {
  const { body } = await visit(server.url, '/env');
  const { CHAOS: found = null } = JSON.parse(body) as { CHAOS?: string };
  const allowed = ledger.allowed('variables');
  return allowed.includes(found)
    ? []
    : [{ invariant: NAME, about: 'server', what: `it has "${found}", promised was ${JSON.stringify(allowed)}` }];
}
