import { BuildFailed } from '../builder.ts';
import { fillIn, globalArguments } from './build-arguments.ts';
import {
  parseDockerfile,
  readInstruction,
  refuse,
  wordsOf,
  writeInstruction,
  type Instruction,
} from './parse-dockerfile.ts';

/** An image that a Dockerfile is built on, or takes files from. */
export interface NamedBase {
  name: string;
  line: number;
}

/** A Dockerfile that the engine may be given, once it is known which images are meant. */
export interface CheckedDockerfile {
  instructions: readonly Instruction[];
  bases: readonly NamedBase[];
  /** What the engine is given: every base by its own id, and every instruction on a line of its own. */
  write(idOf: (name: string) => string, labels: Readonly<Record<string, string>>): WrittenStep[];
}

export interface WrittenStep {
  text: string;
  /** As the project has it; null: it is ours. */
  shown: string | null;
}

/** All others ask for what the engine's plain builder does not have, or for what a build must not have. */
const KNOWN_FLAGS: Readonly<Record<string, readonly string[]>> = {
  FROM: ['platform'],
  COPY: ['from', 'chown'],
  ADD: ['chown'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
};

/**
 * Whatever the engine would do itself, outside the build's own network, is looked at here: fetching addresses (ADD)
 * and images (FROM, COPY --from). What cannot be told from the text is refused.
 */
export function checkDockerfile(text: string, given: Readonly<Record<string, string>>): CheckedDockerfile {
  refuseHeredocs(text);
  const instructions = parseDockerfile(text);
  if (!instructions.some(({ keyword }) => keyword === 'FROM')) {
    throw new BuildFailed('The Dockerfile has no FROM: it must say what image it is built on.');
  }
  for (const instruction of instructions) checkInstruction(instruction);
  const resolved = resolveBases(instructions, globalArguments(instructions, given));
  return {
    instructions,
    bases: resolved.flatMap(({ base }) => base ?? []),
    write: (idOf, labels) => resolved.flatMap((each) => writeStep(each, idOf, labels)),
  };
}

/** What an image has its children do. */
export function checkTriggers(image: string, triggers: readonly string[]): void {
  for (const trigger of triggers) {
    try {
      const instruction = readInstruction(trigger, 0);
      checkInstruction(instruction);
      if (instruction.keyword === 'FROM' || instruction.flags.some(({ name }) => name === 'from')) throw new Error();
    } catch {
      throw new BuildFailed(
        `The image ${image} would have the engine do what it may not (ONBUILD ${trigger.slice(0, 100)}). ` +
          'Build on another image.',
      );
    }
  }
}

function checkInstruction({ keyword, flags, rest, line }: Instruction): void {
  if (keyword === 'ONBUILD') {
    throw refuse(line, 'ONBUILD is for images that others build on, and nobody can build on this one. Remove it.');
  }
  const unknown = flags.find(({ name }) => !(KNOWN_FLAGS[keyword] ?? []).includes(name));
  if (unknown) {
    throw refuse(
      line,
      `${keyword} --${unknown.name} needs BuildKit, which the platform does not use. Write it without that option.`,
    );
  }
  if (keyword === 'ADD') for (const source of wordsOf(rest).slice(0, -1)) checkSource(source, line);
}

/** The engine itself would fetch an address, from where it stands: past every wall around the build. */
function checkSource(source: string, line: number): void {
  const certain = source.split('$')[0]!;
  const isCertain = certain === source || certain.includes('/');
  const isAddress = /^[a-z][a-z0-9+.-]*:|:\/\/|^\w+@/i.test(certain);
  if (isCertain && !isAddress && !/["'\\]/.test(source)) return;
  throw refuse(
    line,
    isAddress
      ? 'ADD cannot fetch an address here. Fetch it with RUN and curl or wget, or put the file into the repository.'
      : 'What ADD takes must be told plainly, such as ./file: use COPY, or write the name out without quotes and variables.',
  );
}

interface Resolved {
  instruction: Instruction;
  base: NamedBase | null;
}

function resolveBases(instructions: readonly Instruction[], values: Readonly<Record<string, string>>): Resolved[] {
  const stages: (string | null)[] = [];
  return instructions.map((instruction) => {
    const { keyword, flags, rest, line } = instruction;
    if (keyword === 'FROM') {
      const { image, stage } = readFrom(instruction);
      const name = fillIn(image, values, line);
      const isOwn = name === 'scratch' || stages.includes(name.toLowerCase());
      stages.push(stage);
      // Which machine it is for is not a question: the engine's own.
      const plain = { ...instruction, flags: [], rest: [name, ...(stage ? ['AS', stage] : [])].join(' ') };
      return { instruction: plain, base: isOwn ? null : { name, line } };
    }
    if (stages.length === 0 && keyword !== 'ARG') throw refuse(line, `${keyword} stands before the first FROM.`);
    const from = flags.find(({ name }) => name === 'from')?.value;
    if (keyword !== 'COPY' || from === undefined) return { instruction, base: null };
    const isStage = /^\d+$/.test(from) ? Number(from) < stages.length - 1 : stages.includes(from.toLowerCase());
    if (!isStage && /[$"'\\]|^\d*$/.test(from)) throw refuse(line, `There is no stage “${from}” before it.`);
    return { instruction: { ...instruction, rest }, base: isStage ? null : { name: from, line } };
  });
}

function readFrom({ rest, flags, line }: Instruction): { image: string; stage: string | null } {
  const match = /^(\S+)(?:\s+as\s+([a-z][a-z0-9._-]*))?$/i.exec(rest);
  if (!match || match[2]?.toLowerCase() === 'scratch')
    throw refuse(line, 'It must read: FROM image, or FROM image AS name.');
  const platform = flags.find(({ name }) => name === 'platform')?.value ?? '';
  if (platform !== '' && !/^\$\{?(BUILD|TARGET)PLATFORM\}?$/.test(platform) && !isThisMachine(platform)) {
    throw refuse(line, `The platform builds for its own machines only, not for ${platform}. Remove --platform.`);
  }
  return { image: match[1]!, stage: match[2]?.toLowerCase() ?? null };
}

const isThisMachine = (platform: string): boolean =>
  platform.toLowerCase().startsWith(`linux/${process.arch === 'x64' ? 'amd64' : process.arch}`);

function writeStep({ instruction, base }: Resolved, idOf: (name: string) => string, labels: object): WrittenStep[] {
  const shown = writeInstruction(instruction);
  if (instruction.keyword !== 'FROM') {
    const flags = instruction.flags.map((flag) =>
      base && flag.name === 'from' ? { ...flag, value: idOf(base.name) } : flag,
    );
    return [{ text: writeInstruction({ ...instruction, flags }), shown }];
  }
  const [image = '', ...stage] = instruction.rest.split(' ');
  const text = ['FROM', base ? idOf(base.name) : image, ...stage].join(' ');
  const words = Object.entries(labels).map(([name, value]) => `${name}=${String(value)}`);
  return [
    { text, shown },
    { text: `LABEL ${words.join(' ')}`, shown: null },
  ];
}

/** Builders that know none would run its lines as instructions. */
function refuseHeredocs(text: string): void {
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (!/^\s*(RUN|COPY|ADD)\s/i.test(line)) continue;
    const word = /<<-?(["']?)(\w+)\1/.exec(line)?.[2];
    if (word === undefined || !lines.slice(index + 1).some((later) => later.trim() === word)) continue;
    throw refuse(
      index + 1,
      `Text between <<${word} and ${word} needs BuildKit, which the platform does not use. Join its lines with && \\.`,
    );
  }
}
