import { BuildFailed } from '../builder.ts';
import { fillIn, globalArguments } from './build-arguments.ts';
import { checkLabels } from './check-labels.ts';
import { parseDockerfile, refuse, wordsOf, type Instruction, type Keyword, type Named } from './parse-dockerfile.ts';
import { resolveStages, type Resolved } from './resolve-stages.ts';
import { showInstruction, writeInstruction } from './write-instruction.ts';

/** A Dockerfile that the engine may be given, once it is known which images are meant. */
export interface CheckedDockerfile {
  instructions: readonly Instruction[];
  /** Images that it is built on, or takes files from. */
  bases: readonly Named[];
  /** What ADD takes: it is copied, never unpacked. */
  added: readonly Named[];
  /** What the engine is given: every base by its own id, and every instruction on a line of its own. */
  write(idOf: (name: string) => string, labels: Readonly<Record<string, string>>): WrittenStep[];
}

export interface WrittenStep {
  text: string;
  /** As the project has it; null: it is ours. */
  shown: string | null;
}

/** All others ask for what the engine's plain builder does not have, or for what a build must not have. */
const KNOWN_FLAGS: Partial<Record<Keyword, readonly string[]>> = {
  FROM: ['platform'],
  COPY: ['from', 'chown'],
  ADD: ['chown'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
};

/**
 * Whatever the engine would do itself, outside the build's own network, is looked at here: fetching addresses and
 * unpacking (ADD), fetching images (FROM, COPY --from). What cannot be told from the text is refused.
 */
export function checkDockerfile(text: string, given: Readonly<Record<string, string>>): CheckedDockerfile {
  const instructions = parseDockerfile(text);
  if (!instructions.some(({ keyword }) => keyword === 'FROM')) {
    throw new BuildFailed('The Dockerfile has no FROM: it must say what image it is built on.');
  }
  for (const instruction of instructions) checkInstruction(instruction);
  const values = globalArguments(instructions, given);
  const resolved = resolveStages(instructions, (image, line) => fillIn(image, values, line));
  return {
    instructions,
    bases: resolved.flatMap(({ base }) => base ?? []),
    added: instructions.filter(({ keyword }) => keyword === 'ADD').flatMap(sourcesOf),
    write: (idOf, labels) => resolved.flatMap((each) => writeStep(each, idOf, labels)),
  };
}

function checkInstruction(instruction: Instruction): void {
  const { keyword, flags, rest, line } = instruction;
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
  if (keyword === 'COPY' || keyword === 'ADD') requireTwo(instruction);
  if (keyword === 'ADD') for (const { name } of sourcesOf(instruction)) checkSource(name, line);
  if (keyword === 'LABEL') checkLabels(rest, line);
}

function requireTwo({ keyword, rest, line }: Instruction): void {
  if (wordsOf(rest).length < 2) throw refuse(line, `It must read: ${keyword} source destination.`);
}

const sourcesOf = ({ rest, line }: Instruction): Named[] =>
  wordsOf(rest)
    .slice(0, -1)
    .map((name) => ({ name, line }));

/** The engine itself would fetch an address, from where it stands: past every wall around the build. */
function checkSource(source: string, line: number): void {
  if (/^[a-z][a-z0-9+.-]*:|:\/\/|^\w+@/i.test(source)) {
    throw refuse(
      line,
      'ADD cannot fetch an address here. Fetch it with RUN and curl or wget, or put the file into the repository.',
    );
  }
  if (/["'\\$*?[]/.test(source)) {
    throw refuse(line, 'What ADD takes must be written out, without quotes, variables and wildcards. Or use COPY.');
  }
}

function writeStep({ instruction, written, base }: Resolved, idOf: (name: string) => string, labels: object) {
  const steps: WrittenStep[] = [
    { text: writeInstruction(written(base ? idOf(base.name) : null)), shown: showInstruction(instruction) },
  ];
  if (instruction.keyword !== 'FROM') return steps;
  const words = Object.entries(labels).map(([name, value]) => `${name}=${String(value)}`);
  return [...steps, { text: `LABEL ${words.join(' ')}`, shown: null }];
}
