import { refuse, type Instruction, type Named } from './parse-dockerfile.ts';

/** An instruction of which it is known what image it means. */
export interface Resolved {
  /** As the project has it. */
  instruction: Instruction;
  /** The image that it names; null where it names none, or what the Dockerfile itself has made. */
  base: Named | null;
  /** As the engine is given it, with the id of that image. */
  written: (id: string | null) => Instruction;
}

type FillIn = (image: string, line: number) => string;

/**
 * Which stage or image every FROM and COPY --from means. An engine takes a name that is no stage before it for an
 * image that it has, whosever that is: so stages are called by their numbers, and images by their ids.
 */
export function resolveStages(instructions: readonly Instruction[], fillIn: FillIn): Resolved[] {
  const stages: (string | null)[] = [];
  return instructions.map((instruction): Resolved => {
    const { keyword, line } = instruction;
    if (keyword === 'FROM') return resolveFrom(instruction, stages, fillIn);
    if (stages.length === 0 && keyword !== 'ARG') throw refuse(line, `${keyword} stands before the first FROM.`);
    // The engine would fetch and unpack; what ADD may take here, COPY takes as well.
    if (keyword === 'ADD') return { instruction, base: null, written: () => ({ ...instruction, keyword: 'COPY' }) };
    if (keyword === 'COPY') return resolveCopy(instruction, stages.slice(0, -1));
    return { instruction, base: null, written: () => instruction };
  });
}

/** Notes the stage that it begins. */
function resolveFrom(instruction: Instruction, stages: (string | null)[], fillIn: FillIn): Resolved {
  const { line } = instruction;
  const { image, stage } = readFrom(instruction);
  const name = fillIn(image, line);
  const own = stages.indexOf(name.toLowerCase());
  if (stage !== null && stages.includes(stage)) throw refuse(line, `There is a stage “${stage}” already.`);
  const number = stages.push(stage) - 1;
  const isOwn = name === 'scratch' || own !== -1;
  const text = own === -1 ? name : stageName(own);
  return {
    instruction: { ...instruction, flags: [], rest: [name, ...(stage ? ['AS', stage] : [])].join(' ') },
    base: isOwn ? null : { name, line },
    // Which machine it is for is not a question: the engine's own.
    written: (id) => ({ ...instruction, flags: [], rest: `${id ?? text} AS ${stageName(number)}` }),
  };
}

const stageName = (number: number): string => `stage-${number}`;

function resolveCopy(instruction: Instruction, before: readonly (string | null)[]): Resolved {
  const { flags, line } = instruction;
  const from = flags.find(({ name }) => name === 'from')?.value;
  if (from === undefined) return { instruction, base: null, written: () => instruction };
  const number = /^\d+$/.test(from) ? Number(from) : before.indexOf(from.toLowerCase());
  const isStage = number >= 0 && number < before.length;
  if (!isStage && /[^\w./:@-]|^\d*$/.test(from)) throw refuse(line, `There is no stage “${from}” before it.`);
  return {
    instruction,
    base: isStage ? null : { name: from, line },
    written: (id) => ({
      ...instruction,
      flags: flags.map((flag) => (flag.name === 'from' ? { ...flag, value: id ?? String(number) } : flag)),
    }),
  };
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
