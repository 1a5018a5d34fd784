import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { operatorCommands } from '../../../cli/src/operator/operator-commands.ts';
import type { OperatorContext } from './operator-context.ts';
import { buildProgram } from './program.ts';

/** Nothing is run. */
const program = buildProgram({} as OperatorContext);

/** A group that takes options does something itself. */
function wordsOf(command: Command, before: readonly string[] = []): string[] {
  const words = [...before, command.name()];
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  return [...(isGroup ? [] : [words.join(' ')]), ...command.commands.flatMap((each) => wordsOf(each, words))];
}

describe("the operator's commands", () => {
  it('are those that the command line lists, completes and has in its reference', () => {
    const listed = operatorCommands.map(({ words }) => words.join(' ')).filter((words) => words !== 'server');
    const there = program.commands.flatMap((command) => wordsOf(command));
    expect(there.length).toBeGreaterThan(20);
    expect(listed.toSorted()).toEqual(there.toSorted());
  });
});
