import { callers, refusalOf, type Caller } from '@lilac/contract/authorisation';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import type { ErrorCode } from '@lilac/contract/errors';
import { expect } from 'vitest';
import type { ContractCase } from './access-cases.ts';
import { ANSWERED_OTHERWISE } from './answered-otherwise.ts';
import { expectRefusal, fieldsOf, organisationField, type Proof, type Subject } from './contract-subject.ts';
import type { Answer } from './harness.ts';
import { idFieldsOf, namesSomething, seedOf, type IdField } from './id-seeds.ts';
import type { World } from './world.ts';

/** docs/reference/authorisation.md, call by call. */
export const authorisationCases: ContractCase[] = [
  {
    title: 'lets in every kind of caller that its declaration lets in, and refuses all others',
    applies: () => true,
    async check(subject) {
      for (const caller of callers) {
        const refusal = refusalOf(subject.declaration, caller);
        if (refusal)
          expectRefusal(await subject.send(tokenOf(subject.world, caller), namedBy(caller, subject)), refusal, caller);
        else expectLetIn(await subject.send(tokenOf(subject.world, caller), harmless(subject.declaration)), caller);
      }
    },
  },
  {
    title: 'lets in by the cookie of a session whom it lets in by the session, and refuses all others',
    applies: ({ stream }) => stream === true,
    async check(subject) {
      for (const caller of callers) {
        const proof = cookieOf(subject.world, caller);
        if (!proof) continue;
        const refusal = refusalOf(subject.declaration, caller);
        if (refusal) expectRefusal(await subject.send(proof, namedBy(caller, subject)), refusal, caller);
        else expectLetIn(await subject.send(proof, harmless(subject.declaration)), caller);
      }
    },
  },
];

/**
 * Every id of one organisation tried by another. They change nothing, so they come first: all that is ours is still
 * there.
 */
export const foreignIdCases: ContractCase[] = [
  {
    title: 'answers for anything of another organisation with the very answer for what does not exist',
    applies: (declaration) => declaration.credential !== 'none' && idFieldsOf(declaration).some(namesSomething),
    async check(subject) {
      const { declaration, world } = subject;
      for (const field of idFieldsOf(declaration)) {
        const foreign = seedOf(field.name, world.theirs, declaration);
        if (foreign === null) continue;
        for (const caller of OURS) {
          const proofs = [tokenOf(world, caller), declaration.stream && cookieOf(world, caller)];
          for (const proof of proofs) if (proof) await expectAsNothing(subject, { field, foreign, caller, proof });
        }
      }
    },
  },
];

/** Everybody who has a credential of our organisation. */
const OURS: readonly Caller[] = ['user', 'admin', 'owner', 'user key', 'admin key'];

/** What says that somebody may not; everything else comes after that was decided. */
const ACCESS_REFUSALS: readonly ErrorCode[] = [
  'CA001',
  'CA002',
  'CA003',
  'CA004',
  'CA005',
  'CA006',
  'CA007',
  'CA008',
  'FF001',
];

/** Not refused, and not because something broke before anybody could. */
function expectLetIn({ status, body }: Answer, caller: Caller): void {
  const refused = ACCESS_REFUSALS.find((code) => code === (body as { code?: string }).code);
  expect({ caller, refused, broken: status < 500 ? undefined : { status, body } }).toEqual({ caller });
}

function tokenOf({ ours, admin, member }: World, caller: Caller): string | undefined {
  const tokens: Record<Caller, string | undefined> = {
    nobody: undefined,
    user: member.token,
    admin: admin.token,
    owner: ours.owner.token,
    'user key': ours.readOnlyKey,
    'admin key': ours.adminKey,
    'owner elsewhere': ours.owner.token,
    'admin key elsewhere': ours.adminKey,
  };
  return tokens[caller];
}

/** What the browser of a caller keeps; keys are in no browser. */
function cookieOf({ ours, admin, member }: World, caller: Caller): { cookie: string } | undefined {
  const people: Partial<Record<Caller, { refreshToken: string }>> = {
    user: member,
    admin,
    owner: ours.owner,
    'owner elsewhere': ours.owner,
  };
  const person = people[caller];
  return person && { cookie: person.refreshToken };
}

/** Who is elsewhere names the other organisation, and what that has. */
function namedBy(caller: Caller, { declaration, world: { theirs } }: Subject): object {
  if (!caller.endsWith('elsewhere')) return {};
  const ids = idFieldsOf(declaration).map((field) => [
    field.name,
    valueOf(field, seedOf(field.name, theirs, declaration) ?? 'any'),
  ]);
  return { ...Object.fromEntries(ids), targetOrganisationId: theirs.organisationId };
}

/** A call that gets past admission and no further, wherever there is one: what is let in must not change the world. */
function harmless(declaration: EndpointDeclaration): object {
  if (declaration.resource) return { [declaration.resource.field]: 'nowhere' };
  const field = Object.keys(fieldsOf(declaration)).find((name) => name !== organisationField(declaration));
  return field ? { [field]: { no: 'such type' } } : {};
}

async function expectAsNothing(
  { send, declaration }: Subject,
  { field, foreign, caller, proof }: { field: IdField; foreign: string | number; caller: Caller; proof: Proof },
): Promise<void> {
  const { resource } = declaration;
  const about = { field, caller, byCookie: typeof proof === 'object' };
  // Of two that may be named the other would be taken.
  const alone = resource?.or?.field === field.name ? { [resource.field]: undefined } : {};
  const answerTo = (id: string | number) => send(proof, { ...alone, [field.name]: valueOf(field, id) });
  const answer = await answerTo(foreign);
  const { status, body } = await answerTo(nowhereLike(foreign));
  expect({ about, status: answer.status, body: answer.body }).toEqual({ about, status, body });
  const isResource = [resource?.field, resource?.or?.field].includes(field.name);
  const refusal = refusalOf(declaration, caller);
  if (refusal) expectRefusal(answer, refusal, about);
  else if (isResource || !isAnsweredOtherwise(declaration, field)) expectRefusal(answer, 'NF001', about);
}

function isAnsweredOtherwise({ path }: EndpointDeclaration, { name }: IdField): boolean {
  return Object.hasOwn(ANSWERED_OTHERWISE, `${path} ${name}`);
}

function valueOf({ isList }: IdField, id: string | number): unknown {
  return isList ? [id] : id;
}

/** Of the same form, so that nothing but its being there could make a difference. */
function nowhereLike(id: string | number): string | number {
  return typeof id === 'number' ? id + 1_000_000 : `${id.slice(0, -4)}zzzz`;
}
