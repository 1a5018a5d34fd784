import { EngineRefused } from '../engine.ts';
import { findPrograms, isOlder, type FoundPrograms, type MysqlPrograms } from './programs.ts';

export interface ProgramFinder {
  find(): Promise<FoundPrograms>;
  /** For files of that series: a newer MariaDB runs them too. */
  findFor(version: string): Promise<MysqlPrograms>;
}

/** Looks once. What is missing may be installed at any time: it is looked for again. */
export function createProgramFinder(): ProgramFinder {
  let found: Promise<FoundPrograms> | undefined;

  async function find(): Promise<FoundPrograms> {
    const told = await (found ??= findPrograms());
    if (!told.programs) found = undefined;
    return told;
  }

  return {
    find,
    async findFor(version) {
      const { programs, missing } = await find();
      if (!programs) throw new EngineRefused(missing);
      if (!isOlder(programs.series, version)) return programs;
      found = undefined;
      throw new EngineRefused(`This database needs MariaDB ${version}, and this machine has ${programs.series}.`);
    },
  };
}
